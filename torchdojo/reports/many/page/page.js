"use strict";
const words = { passed: "passed", failed: "not right yet", todo: "to do", timeout: "took too long", crashed: "ended the process",
  error: "not graded: an internal error, costs nothing", skipped: "not graded here" };
let unpacked = null, last = "";
const title = document.title;
const byId = (id) => document.getElementById(id);
async function data() {
  if (!unpacked) {
    const bytes = Uint8Array.from(atob(byId("data").textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const all = JSON.parse(await new Response(stream).text());
    for (const { rows, texts } of all.exercises) { // 1 is the next text, 2 the first of all
      let next = 0;
      for (const row of rows) for (let n = 4; row && n < row.length; n += 2) row[n] = row[n] === 1 ? texts[next++] : texts[row[n] - 2] || "";
    }
    unpacked = all;
  }
  return unpacked;
}
function add(parent, tag, text) {
  const element = document.createElement(tag);
  element.textContent = text; // never markup
  return parent.appendChild(element);
}
async function show() {
  const match = /^#s(\d+)$/.exec(location.hash);
  if (!match) {
    const back = !byId("student").hidden;
    byId("student").hidden = true;
    byId("class").hidden = false;
    document.title = title;
    const target = location.hash && byId(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
    if (back && last) { const link = document.querySelector('a[href="' + last + '"]'); if (link) link.focus(); }
    else if (target) target.scrollIntoView();
    return;
  }
  last = location.hash;
  let all;
  try { all = await data(); } catch (error) { alert("This browser is too old to unpack the feedback; `torchdojo report --format markdown` writes it as text."); return; }
  const n = Number(match[1]), student = all.students[n];
  if (!student) return;
  const [name, points, remarks] = student, box = byId("results");
  byId("name").replaceChildren();
  add(byId("name"), "bdi", name); // a name in Hebrew would draw the points to its other side
  byId("name").append(": " + points);
  document.title = name + ", " + title;
  box.replaceChildren();
  for (const remark of remarks) add(box, "p", remark);
  for (const { id, kinds, rows } of all.exercises) {
    if (!rows[n]) continue;
    const [score, most, reached, ...checks] = rows[n];
    add(box, "h2", id + ": " + score + " of " + most + (reached && ", " + reached));
    const list = add(box, "ul", "");
    for (let i = 0; i < checks.length; i += 2) {
      const [title, status, got, of, star] = kinds[checks[i]];
      const item = add(list, "li", (words[status] || status) + ": " + title + " (" + got + " of " + of + (star ? ", for the star)" : ")"));
      if (checks[i + 1]) add(item, "pre", checks[i + 1]);
    }
  }
  for (const [id, place] of [["previous", n - 1], ["next", n + 1]]) {
    byId(id).hidden = !all.students[place];
    byId(id).href = "#s" + place;
  }
  byId("class").hidden = true;
  byId("student").hidden = false;
  scrollTo(0, 0);
  byId("name").focus();
  document.documentElement.dataset.shown = String(n);
}
// ---- the table of students: find, filter, sort, save
const rows = [...document.querySelectorAll("#table tbody tr")], heads = [...document.querySelectorAll("#table thead th")];
const numbers = new Map(rows.map((row, n) => [row, n])), first = heads.findIndex((head) => head.className === "x");
const chosen = (id) => byId(id) ? byId(id).value : "", ticked = (id) => Boolean(byId(id) && byId(id).checked);
const shown = () => [...document.querySelectorAll("#table tbody tr")].filter((row) => !row.hidden);
function filter() {
  const wanted = chosen("find").trim().toLocaleLowerCase(), section = chosen("section"), exercise = chosen("exercise");
  const state = exercise && chosen("state"), mistake = exercise && chosen("mistake");
  const those = mistake && new Set(unpacked.exercises[exercise].mistakes[mistake][1]);
  let count = 0;
  for (const row of rows) {
    row.hidden = !((!section || row.querySelector(".s").textContent === section)
      && row.cells[0].textContent.toLocaleLowerCase().includes(wanted)
      && (!ticked("low") || Number(row.dataset.share) < 0.5) && (!ticked("late") || Number(row.dataset.late) > 0)
      && (!state || state.includes(row.cells[first + Number(exercise)].className)) && (!those || those.has(numbers.get(row))));
    count += !row.hidden;
  }
  byId("shown").textContent = count === rows.length ? "" : count + " of " + rows.length + " students";
}
async function choose(exercise, mistake) { // the mistakes that can be chosen are those of one exercise
  const list = byId("mistake"), some = exercise === "" ? [] : (await data()).exercises[exercise].mistakes;
  byId("exercise").value = exercise;
  list.replaceChildren(list.options[0]);
  for (const [n, [words, who]] of some.entries()) {
    const option = add(list, "option", who.length + " × " + (words.length > 90 ? words.slice(0, 90) + "…" : words));
    option.value = n;
  }
  list.value = mistake;
  list.disabled = !some.length;
  byId("state").disabled = exercise === "";
  if (exercise === "") byId("state").value = "";
  filter();
}
function asCsv() { // a cell that a spreadsheet would run as a formula gets an apostrophe
  const names = heads.map((head, n) => n < first ? head.textContent.trim() : head.firstChild.title);
  const cell = (row, n) => {
    const text = row.cells[n].textContent.trim();
    if (heads[n].dataset.sort === "points") return text.startsWith("?") ? "" : row.dataset.points;
    return n < first ? text : { "–": "0", "×": "0", "!": "", "?": "", skipped: "" }[text] ?? text.split(" ")[0];
  };
  const safe = (text) => '"' + (/^\s*["']*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/.test(text) ? "'" : "") + text.replace(/([;\t])(?=\s*[=+\-@])/g, "$1'").replaceAll('"', '""') + '"';
  const lines = shown().map((row) => [row.dataset.key, row.dataset.email || "", ...names.map((_, n) => cell(row, n))]);
  return [["key", "email", ...names], ...lines].map((line) => line.map(safe).join(",") + "\r\n").join("");
}
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff" + asCsv()], { type: "text/csv" }));
  link.download = "students.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
async function copy() {
  const some = shown(), addresses = some.map((row) => row.dataset.email).filter(Boolean), text = addresses.join(", ");
  const without = some.length - addresses.length, rest = without ? "; " + without + " without one" : "";
  try {
    await navigator.clipboard.writeText(text);
    byId("shown").textContent = addresses.length + " addresses copied" + rest;
  } catch (error) { byId("shown").textContent = "This browser lets no page copy. Copy these" + rest + ": " + text; }
}
function sort(head) {
  const falling = head.getAttribute("aria-sort") === "ascending", by = head.dataset.sort;
  for (const other of document.querySelectorAll("#table th[data-sort]")) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", falling ? "descending" : "ascending");
  const key = (row) => by in row.dataset ? Number(row.dataset[by]) : (by === "name" ? row.cells[0] : row.querySelector(".s")).textContent;
  const compare = (a, b) => by in a.dataset ? key(a) - key(b) : key(a).localeCompare(key(b));
  const body = document.querySelector("#table tbody"), sorted = [...rows].sort(compare);
  body.replaceChildren(...(falling ? sorted.reverse() : sorted));
}
for (const head of document.querySelectorAll("#table th[data-sort]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = head.textContent;
  button.addEventListener("click", () => sort(head));
  head.replaceChildren(button);
  head.setAttribute("aria-sort", "none");
}
byId("filter").hidden = false;
byId("filter").addEventListener("input", (event) => {
  if (event.target === byId("exercise")) choose(chosen("exercise"), "");
  else filter();
});
byId("filter").addEventListener("reset", () => setTimeout(() => choose("", "")));
byId("export").addEventListener("click", save);
if (byId("copy")) byId("copy").addEventListener("click", copy);
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-who]");
  if (!link) return;
  const [exercise, mistake] = link.dataset.who.split(" ");
  byId("filter").reset();
  setTimeout(() => choose(exercise, mistake)); // after the reset has run
});
byId("filter").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", show);
addEventListener("beforeprint", () => { for (const block of document.querySelectorAll("details")) block.open = true; });
addEventListener("keydown", (event) => { if (event.key === "Escape" && !byId("student").hidden) location.hash = "#students"; });
show();
