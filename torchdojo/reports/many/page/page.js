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
    unpacked = JSON.parse(await new Response(stream).text());
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
  const [name, points, remarks, results] = student, box = byId("results");
  byId("name").replaceChildren();
  add(byId("name"), "bdi", name); // a name in Hebrew would draw the points to its other side
  byId("name").append(": " + points);
  document.title = name + ", " + title;
  box.replaceChildren();
  for (const remark of remarks) add(box, "p", remark);
  for (const [id, score, most, checks, reached] of results) {
    add(box, "h2", id + ": " + score + " of " + most + (reached && ", " + reached));
    const list = add(box, "ul", "");
    for (const [title, status, got, of, feedback, star] of checks) {
      const worth = " (" + got + " of " + of + (star ? ", for the star)" : ")");
      const item = add(list, "li", (words[status] || status) + ": " + all.titles[title] + worth);
      if (all.texts[feedback]) add(item, "pre", all.texts[feedback]);
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
// ---- the table of students: find, filter, sort
const rows = [...document.querySelectorAll("#table tbody tr")];
function filter() {
  const wanted = byId("find").value.trim().toLocaleLowerCase(), low = byId("low").checked, section = byId("section");
  let count = 0;
  for (const row of rows) {
    const there = section && section.value ? row.querySelector(".s").textContent === section.value : true;
    const said = row.cells[0].textContent.toLocaleLowerCase().includes(wanted);
    row.hidden = !(there && said && (!low || Number(row.dataset.share) < 0.5));
    count += !row.hidden;
  }
  byId("shown").textContent = count === rows.length ? "" : count + " of " + rows.length + " students";
}
function sort(head) {
  const falling = head.getAttribute("aria-sort") === "ascending", by = head.dataset.sort;
  for (const other of document.querySelectorAll("#table th[data-sort]")) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", falling ? "descending" : "ascending");
  const key = (row) => by === "points" ? Number(row.dataset.points) : (by === "name" ? row.cells[0] : row.querySelector(".s")).textContent;
  const compare = (a, b) => by === "points" ? key(a) - key(b) : key(a).localeCompare(key(b));
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
byId("filter").addEventListener("input", filter);
byId("filter").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", show);
addEventListener("beforeprint", () => { for (const block of document.querySelectorAll("details")) block.open = true; });
addEventListener("keydown", (event) => { if (event.key === "Escape" && !byId("student").hidden) location.hash = "#students"; });
show();
