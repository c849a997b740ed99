"""Hand-made faults of the engine, and the tests that must fail for each: does the suite still catch what it caught?

    python tests/breaks.py [WORD ...]        # those whose file, text or tests hold one of the words; without words all of them

Each fault is put into a copy of the project, its tests run there, and the original text is put back. Printed is a line for each. The
exit code is 1 if a fault isn't caught. Add a fault when you make tests cheaper: it must be caught before the change and after it.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import hypothesis  # noqa: F401  (imported once for all faults, as PyTorch is)
import pytest
import torch  # noqa: F401

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 600  # for the tests of one fault

# module of torchdojo, what stands there, what stands there then, the tests
BREAKS = [
    ("adoption/stubs.py", "values = [name for name in values if name in asked] or values", "values = values", "adoption/test_stubs.py::test_a_stub_raises_where_something_is_missing"),
    ("adoption/context.py", "if name not in entry.uses or entry.defines:  # assigned again, not modified", "if True:", "adoption/test_stubs.py::test_what_a_question_needs_of_other_cells"),
    ("adoption/context.py", "missing += [name] * (not stars and name not in KNOWN)", "missing += [name] * (not stars and name in KNOWN)", "adoption/test_stubs.py::test_what_a_question_needs_of_other_cells"),
    ("adoption/asserts.py", "if value is not None or len(tree.body) > 1 or", "if", "adoption/test_stubs.py::test_what_has_no_assert_says_why"),
    ("adoption/asserts.py", "if isinstance(value, float):", "if False:", "adoption/test_stubs.py::test_a_cell_is_compared_with_its_output"),
    ("adoption/stubs.py", "self.before[start_line(body[0])]", "self.before[start_line(body[-1])]", "adoption/test_stubs.py::test_a_stub_raises_where_something_is_missing"),
    ("adoption/stubs.py", "\", then delete this line\" * (not empty)", "\", then delete this line\"", "adoption/test_stubs.py::test_a_stub_raises_where_something_is_missing"),
    ("adoption/asserts.py", "if any(output.get(\"output_type\") == \"error\" for output in outputs):", "if False:", "adoption/test_formats.py::test_a_saved_error_is_nothing_to_compare_with"),
    ("adoption/nbgrader.py", "test.visible = \"\"", "pass", "adoption/test_formats.py::test_hidden_tests_of_nbgrader_are_not_shown"),
    ("adoption/nbgrader.py", "shown = HIDDEN.sub(\"\", cell.text)", "shown = cell.text", "adoption/test_formats.py::test_hidden_tests_of_nbgrader_are_not_shown"),
    ("adoption/otter.py", "hidden = bool(config.get(\"hidden\", hidden))", "pass", "adoption/test_formats.py::test_otters_hidden_tests_are_not_shown"),
    ("adoption/otter.py", "test.points = max(0.0, whole - own) / len(open_)", "test.points = whole / len(open_)", "adoption/test_formats.py::test_otters_points_are_shared_by_the_tests_without_points"),
    ("adoption/otter.py", "test.visible = \"\" if case.get(\"hidden\") else test.python", "test.visible = test.python", "adoption/test_formats.py::test_tests_on_file_are_read_from_the_metadata"),
    ("adoption/otter.py", "if config.get(\"manual\") is True:", "if False:", "adoption/test_formats.py::test_what_otter_leaves_to_people_is_not_converted"),
    ("check/source.py", "names = [(f\"{before}{a.name}\".removesuffix(\".*\"), node.level) for a in node.names]", "names = [(f\"{before}{a.name}\".removesuffix(\".*\"), 0) for a in node.names]", "check/test_check.py::test_relative_imports_are_followed"),
    ("check/definition.py", "if isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):", "if False:", "check/test_check.py::test_a_definition_behind_a_condition_is_one"),
    ("check/source.py", "if not colon or not name.isidentifier():", "if not colon:", "check/test_check.py::test_a_wrong_target_is_one_line"),
    ("check/source.py", "while (root / \"__init__.py\").is_file() and root != root.parent:", "while False:", "check/test_check.py::test_a_file_in_a_package_is_imported_from_its_root"),
    ("check/source.py", "if path not in found and problem_with(path, path.parent) is None:", "if path not in found:", "check/test_check.py::test_files_that_a_worker_must_not_get_stay_behind"),
    ("check/source.py", "if len(found) > SUBMISSION_FILES or size > HELPERS_BYTES:", "if False:", "check/test_check.py::test_code_may_not_import_thousands_of_files"),
    ("check/source.py", "elif not parts or parts[0] in TAKEN:", "elif not parts:", "check/test_check.py::test_files_that_a_worker_must_not_get_stay_behind"),
    ("check/definition.py", "for base in bases:  # in the same file", "for base in ():", "check/test_check.py::test_a_class_takes_what_its_base_takes"),
    ("check/definition.py", "create, call = (), call if call is not None else ()", "pass", "check/test_check.py::test_a_function_of_autograd_takes_no_argument_for_its_creation"),
    ("check/definition.py", "found = [Parameter(a.arg, d) for a, d in zip(names, defaults, strict=True)][skip:]", "found = [Parameter(a.arg, d) for a, d in zip(names, defaults, strict=True)]", "check/test_check.py::test_a_config_object_is_filled_by_the_names_that_are_read"),
    ("check/definition.py", "if (alias.asname or alias.name) == name:", "if alias.name == name:", "check/test_check.py::test_a_class_takes_what_its_base_takes"),
    ("check/matching.py", "if len(needed) == 1 and needed[0] in theirs.fields and needed[0] in CONFIGS:", "if len(needed) == 1 and needed[0] in theirs.fields:", "check/test_check.py::test_arguments_are_matched_by_name_position_or_custom"),
    ("check/matching.py", "elif p.name not in found and p.default is None:", "elif False:", "check/test_check.py::test_what_is_not_known_stays_open"),
    ("check/matching.py", "if positions and left and len(left) == len(free) and not any(p.keyword_only for p in left):", "if positions and left and len(left) == len(free):", "check/test_check.py::test_arguments_are_matched_by_name_position_or_custom"),
    ("check/matching.py", "if all(len(hit) == 1 for hit in hits):", "if all(hits):", "check/test_check.py::test_layers_are_found_whole_or_not_at_all"),
    ("classroom/roster.py", "if key in seen:", "if False:", "classroom/test_roster.py -m not(slow)"),
    ("classroom/roster.py", "unicodedata.normalize(\"NFKD\", text)", "text", "classroom/test_roster.py -m not(slow)"),
    ("classroom/roster.py", "text = data.decode(\"cp1252\", errors=\"replace\")", "text = data.decode(\"utf-8\", errors=\"replace\")", "classroom/test_roster.py -m not(slow)"),
    ("classroom/gradebook.py", "return max(0.0, self.handed_in - self.due) if", "return 0.0 if", "classroom/test_late.py -m not(slow)"),
    ("classroom/lock.py", "if os.name == \"nt\" or facts[\"host\"] != socket.gethostname():", "if os.name == \"nt\":", "classroom/test_lock.py::test_a_run_that_may_be_at_work_is_not_waited_for"),
    ("classroom/roster.py", "if rest <= CANVAS_ROW or name.startswith(\"points possible\") or", "if name.startswith(\"points possible\") or", "classroom/test_roster.py::test_nobody_on_a_platforms_list_vanishes"),
    ("classroom/roster.py", "if \"\\0\" in text or data.startswith(b\"PK\\x03\\x04\"):", "if False:", "classroom/test_roster.py::test_a_bad_roster_is_one_line"),
    ("classroom/owners.py", "if len(claims) > 1:", "if False:", "classroom/test_roster.py::test_a_claim_is_one_persons_or_nobodys"),
    ("classroom/overrides.py", "if score is None and not add and due is None:", "if False:", "classroom/test_regrade.py::test_bad_decisions_are_one_line"),
    ("classroom/overrides.py", "if due is not None and words[\"exercise\"]:", "if False:", "classroom/test_regrade.py::test_bad_decisions_are_one_line"),
    ("classroom/overrides.py", "if re.fullmatch(r\"[+-]?[1-9]\\d{0,2},\\d{3}\", word):", "if False:", "classroom/test_regrade.py::test_bad_decisions_are_one_line"),
    ("classroom/platform_times.py", "if number and word not in (\"\", \"-\"):", "if number:", "classroom/test_platform_times.py::test_a_time_in_another_language_is_a_line"),
    ("classroom/alike.py", "if len(shape) >= FEWEST:", "if True:", "classroom/test_alike.py::test_short_answers_are_left_out"),
    ("classroom/plan.py", "if settings.everything or finished.get(result) not in key:", "if finished.get(result) not in key:", "classroom/test_explanations.py::test_what_is_known_is_graded_again_on_request_alone"),
    ("classroom/repricing.py", "if check.max_score == points or check.status in (\"error\", \"skipped\"):", "if check.max_score == points:", "classroom/test_repricing.py::test_other_points_of_a_check_are_put_into_the_results"),
    ("classroom/journal.py", "        if version != VERSION:\n", "        if False:\n", "classroom/test_classroom.py::test_a_journal_of_a_later_version_is_left_alone"),
    ("commands/grade.py", "    return record.exit_code()\n", "    return 0\n", "commands/test_cli.py::test_the_record_is_the_documented_one"),
    ("commands/grade.py", "click.echo(\"  done, star\")", "click.echo(\"  done\")", "commands/test_cli.py::test_a_finished_submission_is_printed_plainly"),
    ("commands/deliver.py", "options += [\"--require-isolation\"] * require_isolation", "", "commands/test_deliver.py -k isolate"),
    ("commands/deliver.py", "and (late or (phase == \"done\" and not record[\"interrupted\"])):", "and (late or phase == \"done\"):", "commands/test_deliver.py::test_a_record_that_is_not_ours_or_was_interrupted_is_no_grade"),
    ("commands/result.py", "if record[\"schema\"] != SCHEMA:", "if False:", "commands/test_result.py::test_what_is_no_record_is_refused_in_one_line"),
    ("commands/result.py", "if check.get(\"reveal\") and check[\"reveal\"] not in LEVELS:", "if False:", "commands/test_result.py::test_what_is_no_record_is_refused_in_one_line"),
    ("commands/hint.py", "    level = min(shown + 1, len(hints))\n", "    level = shown + 1\n", "commands/test_progress.py::test_hints_come_one_at_a_time_and_are_remembered"),
    ("commands/hint.py", "    if len(matches) > 1:\n", "    if False:\n", "commands/test_progress.py::test_hint_refuses_what_names_no_exercise_or_several"),
    ("commands/progress.py", "    whole = summed(mine)\n    return f", "    whole = record.totals(('x/ex01_x', s.score or 0, s.max_score or 0) for s in mine)\n    return f", "commands/test_progress.py::test_bonus_points_come_on_top"),
    ("commands/doctor.py", "if numbers(version) < LEAST_TORCH:", "if version < '2.10':", "commands/test_progress.py::test_the_doctor_compares_versions_as_numbers"),
    ("commands/doctor.py", "data.get(\"python.testing.pytestEnabled\") is not True:", "data.get(\"python.testing.pytestEnabled\") is False:", "commands/test_progress.py::test_the_doctor_reads_the_editors_settings"),
    ("commands/doctor.py", "re.sub(r\",(\\s*[}\\]])\", r\"\\1\", text)", "text", "commands/test_progress.py::test_the_doctor_reads_the_editors_settings"),
    ("commands/grade_class.py", "        strange = [c.name for c in there if c.name not in OURS]\n        if strange:", "        strange = [c.name for c in there if c.name not in OURS]\n        if False:", "classroom/test_classroom.py::test_grades_go_where_nothing_else_is"),
    ("commands/grade_class.py", "if as_class is False and given:", "if False:", "classroom/test_classroom.py::test_options_of_a_class"),
    ("commands/grade.py", "    check_folder(output)\n", "", "commands/test_cli.py::test_a_record_is_not_written_over_a_folder"),
    ("commands/new.py", "    if taken:\n", "    if False:\n", "commands/test_course.py::test_new_leaves_an_exercise_that_is_there_alone"),
    ("commands/catalogue.py", "if not (dojo.root / \"graders\").is_dir():", "if False:", "commands/test_course.py::test_a_learners_copy_is_no_place_for_catalogue"),
    ("commands/notebook.py", "            if old is not None and was_changed(file):\n", "            if False:\n", "notebook/test_notebook.py::test_build_puts_a_spoilt_notebook_aside"),
    ("commands/adopt.py", "    if solution is None and tests:\n", "    if False:\n", "commands/test_adopt.py::test_a_file_without_a_usable_test_is_one_line"),
    ("commands/report.py", "archive.writestr(zipfile.ZipInfo(path), ", "archive.writestr(path, ", "reports/test_feedback.py::test_a_zip_holds_one_file_for_each_student"),
    ("common/plain_text.py", "    text = clean(text)\n    start = \"'\" if _FORMULA.match(text) else \"\"", "    start = \"\"", "common/test_plain_text.py"),
    ("common/plain_text.py", "_COMMANDS.sub(lambda m: \"## \" if m[0] == \"##\" else f\"{m[1]}: \", text)", "text", "common/test_plain_text.py"),
    ("common/files.py", "if target.is_file() and _starts(target, DATABASE):", "if False:", "common/test_files.py::test_a_journal_is_never_overwritten"),
    ("common/files.py", "temporary.chmod(file.stat().st_mode & 0o7777)", "pass", "common/test_files.py::test_a_file_that_is_replaced_keeps_its_mode"),
    ("common/files.py", "if path and Path(path).is_dir():", "if False:", "common/test_files.py::test_a_place_that_cannot_be_written_to_is_refused_before_the_work"),
    ("common/processes.py", "if os.WIFEXITED(status) and os.WEXITSTATUS(status) == FULL:", "if False:", "common/test_exits.py::test_a_wait_status_is_a_sentence"),
    ("common/exits.py", "if not refused and error.errno not in (errno.ENOSPC, errno.EPIPE):", "if not refused and error.errno != errno.EPIPE:", "common/test_exits.py::test_an_error_is_one_line_and_a_code"),
    ("common/digest.py", "len(name).to_bytes(4, \"big\") + name + len(data).to_bytes(8, \"big\") + data", "name + data", "common/test_files.py::test_a_digest_tells_where_a_name_ends"),
    ("common/removal.py", "if len(levels) > 1 and about.st_dev != levels[1].identity[0]:", "if False:", "common/test_removal.py::test_removal_works_on_a_full_disk_and_enters_no_mounted_one"),
    ("common/temporary.py", "while len(_mine) == count:", "while False:", "common/test_temporary.py::test_a_killed_run_is_swept_and_a_living_one_is_not"),
    ("common/clock.py", "if not _ends:", "if False:", "common/test_clock.py::test_a_pause_without_a_limit_changes_nothing"),
    ("common/names.py", "startswith(\"bonus\")", "startswith(\"intro\")", "common/test_files.py::test_extra_credit_is_known_by_its_name"),
    ("common/fields.py", "if name in data}", "}", "common/test_files.py::test_data_may_hold_more_and_less_than_the_fields"),
    ("course/states.py", "if \"error\" in task:", "if False:", "learner/test_states.py"),
    ("course/late.py", "math.ceil(seconds / DAY)", "int(seconds / DAY)", "classroom/test_late.py -m not(slow)"),
    ("course/late.py", "days > self.cutoff_days:", "days > self.cutoff_days + 1:", "classroom/test_late.py -m not(slow)"),
    ("course/late.py", "max(0, days - self.free_days)", "days", "classroom/test_late.py::test_started_days_are_counted"),
    ("course/late.py", "not 0 < percent <= 100", "not 0 < percent", "commands/test_course_settings.py::test_a_wrong_setting_is_one_line"),
    ("course/settings.py", "if wrong := [key for key, value in switches.items() if value not in (\"on\", \"off\")]:", "if wrong := []:", "commands/test_course_settings.py::test_a_wrong_setting_is_one_line"),
    ("course/states.py", "    later = ordered[ordered.index(last) :] if last else []\n", "    later = []\n", "learner/test_states.py::test_what_was_started_comes_first_and_what_was_saved_last_before_it"),
    ("course/states.py", "task = [status for status, star in checks if not star] or", "task =", "learner/test_states.py::test_a_state_comes_from_the_hidden_checks"),
    ("course/states.py", "return max(changed, key=lambda e: e.stub.stat().st_mtime_ns, default=None)", "return next(changed, None)", "learner/test_states.py::test_what_was_started_comes_first_and_what_was_saved_last_before_it"),
    ("course/path.py", "return late(exercise.lesson), chapter, place, is_hard(exercise.stub), section_of", "return late(exercise.lesson), chapter, place, False, section_of", "common/test_path.py::test_the_hardest_of_a_chapter_come_after_its_others"),
    ("course/path.py", "other >= stem and place_of(other) == place_of(stem)]", "other >= stem]", "common/test_path.py::test_the_lesson_decides_the_order_within_a_chapter"),
    ("course/trusted.py", "            check.points = check.points * points / whole\n", "            check.points = points / len(self.checks)\n", "commands/test_course_settings.py::test_points_are_chosen_in_one_place"),
    ("course/stub_text.py", "not (isinstance(v, ast.Constant) and v.value is None) for v in", "not (isinstance(v, ast.Constant)) for v in", "release/test_proof.py::test_a_stub_that_is_more_than_a_stub_is_refused"),
    ("course/exercise.py", "return chapter, PLACES.index(place_of(stem)), stem", "return chapter, 0, stem", "common/test_path.py::test_the_hardest_of_a_chapter_come_after_its_others"),
    ("course/answers.py", "if answers_of(root) == root and (own or around or root.is_relative_to(place)):", "if answers_of(root) == root and (own or around):", "submission/test_whose.py::test_a_submission_never_grades_itself"),
    ("course/exercise.py", "if word in (e.chapter.partition(\"_\")[2], e.stem.partition(\"_\")[2])]", "if word == e.stem]", "commands/test_progress.py::test_a_word_as_people_say_it_names_exercises"),
    ("course/given.py", "    if not own.is_dir() or (known is not None and", "    if not own.is_dir() or known is not None or (known is not None and", "submission/test_given.py::test_two_chapters_may_have_given_modules_of_one_name"),
    ("course/cache_key.py", "without_points(data) if name.startswith(\"grade_\") else data) for", "data) for", "classroom/test_repricing.py::test_other_points_of_a_check_are_put_into_the_results"),
    ("explain/once.py", "told = {name for name in ONCE if", "told = {name for name in () if", "explain/test_repeated.py -m not(slow)"),
    ("explain/reveal.py", "return min(level, own", "return max(level, own", "explain/test_reveal.py -m not(slow)"),
    ("explain/reveal.py", "(level == \"title\" or check.secret) else check", "level == \"title\" else check", "explain/test_reveal.py -m not(slow)"),
    ("explain/labels.py", "if len(_lines(shown, snippet=False).split()) <= MOST_WORDS:", "if True:", "explain/test_message.py -m not(slow)"),
    ("explain/records.py", "        session.drop()\n", "        raise\n", "explain/test_message.py::test_the_verdict_stands_when_the_words_cannot_be_found"),
    ("explain/outcomes.py", "return any(READY in rows for rows in self._found(exercise.id, self.key(exercise), READY))", "return True", "explain/test_kept.py::test_another_key_begins_anew"),
    ("explain/limits.py", "if errno == 27 or", "if errno == 29 or", "explain/test_named_limits.py::test_a_limit_is_named"),
    ("explain/limits.py", "if re.search(STARTS, code) or re.search(PROCESSES, within):", "if re.search(STARTS, code):", "explain/test_named_limits.py::test_a_limit_is_named"),
    ("explain/limits.py", "and int(asked[1]) >= 1e8 else \"\"", "and int(asked[1]) <= 1e8 else \"\"", "explain/test_named_limits.py::test_a_limit_is_named"),
    ("explain/once.py", "if one.feedback == check.feedback or (explained and", "if (explained and", "explain/test_repeated.py::test_what_is_alike_without_a_cause"),
    ("explain/reveal.py", "    if set(check.parts) <= HARMLESS:", "    if set(check.parts) & HARMLESS:", "explain/test_reveal.py::test_a_secret_check_keeps_its_values"),
    ("explain/labels.py", "whole = label in WHOLE_LINES if label else whole", "whole = label in WHOLE_LINES", "explain/test_message.py::test_lines_are_wrapped_under_their_own_text_and_code_is_not"),
    ("explain/call.py", "return Shown(last) if all(_alike(c, last) for c in rivals) else None", "return Shown(last)", "explain/test_shown.py::test_one_call_for_each_entry_of_the_answer"),
    ("explain/call.py", "return printed(_part(right.returned, found.leaf)) == printed", "return not printed", "explain/test_shown.py::test_a_call_that_prints_what_the_reference_prints_is_no_proof"),
    ("explain/call.py", "calls = [c for c in calls if c.method not in ACCESS] or calls", "pass", "explain/test_shown.py::test_reading_an_object_is_no_reason_for_what_it_is"),
    ("explain/call.py", "found.earlier = [c for c in before if c.thing == found.call.thing and not c.makes]", "found.earlier = [c for c in before if not c.makes]", "explain/test_shown.py::test_the_lines_to_paste_make_the_object_and_all_its_calls"),
    ("explain/outcomes.py", "    place = folder if os.access(folder, os.W_OK) else other\n", "    place = folder\n", "explain/test_kept.py::test_a_course_that_cannot_be_written_to_uses_another_folder"),
    ("explain/rules/facts.py", "if len(signs) > 1 or any(", "if any(", "explain/rules/test_facts.py -m not(slow)"),
    ("grading/cases.py", "+ (int(more) if plus else 0)", "+ 0", "grading/test_cases.py::test_axes_are_shared_and_can_be_one_longer"),
    ("grading/cases.py", "top = high if isinstance(self.high, str) else high + 1", "top = high", "grading/test_cases.py::test_integers_stay_below_the_size_of_an_axis"),
    ("grading/cases.py", "layout = case.layout if self.layouts and not self.distinct else \"contiguous\"", "layout = case.layout if self.layouts else \"contiguous\"", "grading/test_cases.py::test_distinct_values_are_distinct"),
    ("grading/cases.py", "return self._fill((*shape[:-1], 2 * shape[-1]), case)[..., ::2]", "return self._fill(shape, case)", "grading/test_cases.py::test_all_families_are_drawn"),
    ("grading/cases.py", "return self._fill((1, *shape[1:]), case).expand(shape)", "return self._fill(shape, case)", "grading/test_cases.py::test_all_families_are_drawn"),
    ("grading/cases.py", "values = table[torch.randperm(len(choices), generator=generator, device=\"cpu\")[:count]]", "values = table[torch.randint(0, len(choices), (count,), generator=generator, device=\"cpu\")]", "grading/test_cases.py::test_distinct_values_are_distinct"),
    ("grading/cases.py", "if wants_rng:", "if False:", "grading/test_cases.py::test_further_examples_come_last_and_get_a_seed_too"),
    ("grading/checks.py", "for name in (name for name in given if name not in wanted):", "for name in ():", "grading/test_checks.py::test_a_misspelled_option_is_named"),
    ("grading/checks.py", "if not isinstance(points, (int, float)) or not points > 0:", "if not isinstance(points, (int, float)) or points < 0:", "grading/test_checks.py::test_a_value_that_means_nothing_is_named"),
    ("grading/checks.py", "rules = {**check.own_rules(), **everywhere}", "rules = {**everywhere, **check.own_rules()}", "grading/test_checks.py::test_the_graders_rules_hold_in_all_its_checks"),
    ("grading/checks.py", "if pattern not in check.allows}", "if True}", "grading/test_checks.py::test_the_graders_rules_hold_in_all_its_checks"),
    ("grading/checks.py", "if reveal and reveal not in LEVELS:", "if False:", "grading/test_checks.py::test_a_value_that_means_nothing_is_named"),
    ("grading/checks.py", "if wanted[:1] != [\"solution\"]:", "if \"solution\" not in wanted:", "grading/test_checks.py::test_the_solution_comes_first"),
    ("grading/loops.py", "if max(steps for _, steps in many) > few[1]:", "if min(steps for _, steps in many) > few[1]:", "grading/test_checks.py::test_a_loop_shows_in_work_that_grows"),
    ("grading/loops.py", "if most > MOST_STEPS else \"\"", "if most > 10 * MOST_STEPS else \"\"", "grading/test_checks.py::test_a_loop_shows_in_work_that_grows"),
    ("grading/adopted_tests.py", "if unknown := sorted((points or {}).keys() - tests.keys()):", "if unknown := []:", "commands/test_adopt.py::test_tests_that_are_gone_are_an_error_of_the_author"),
    ("grading/adopted_tests.py", "(points or {}).get(t.name, t.points)", "t.points", "commands/test_adopt.py::test_the_points_of_tests_become_points_of_checks"),
    ("judge/charge.py", "and self.facts(check, number, outcome) is None", "", "judge/test_charge.py"),
    ("judge/charge.py", "any(c.star or not w.star for w in wrong)", "wrong", "judge/test_charge.py"),
    ("judge/charge.py", "right not in given and", "", "judge/test_charge.py"),
    ("judge/charge.py", "2 * len(found) > len(verdict.outcomes)", "found", "judge/test_charge.py"),
    ("judge/compare.py", "if a.shape != b.shape:", "if a.dim() != b.dim():", "judge/test_compare.py"),
    ("judge/compare.py", "if a.dtype != b.dtype:", "if False:", "judge/test_compare.py"),
    ("judge/compare.py", "if got.device != want.device:", "if False:", "judge/test_compare.py"),
    ("judge/compare.py", "equal_nan=True", "equal_nan=False", "judge/test_compare.py"),
    ("judge/compare.py", "if missing or extra:", "if missing:", "judge/test_compare.py"),
    ("judge/compare.py", "gap = torch.where(close, -1.0, gap)", "gap = gap * 0", "judge/test_compare.py"),
    ("judge/side_effects.py", "    if changed:\n", "    if len(changed) > 1:\n", "judge/test_compare.py judge/test_session.py"),
    ("judge/side_effects.py", "if tuple(pair) not in fine:", "if False:", "judge/test_compare.py judge/test_session.py"),
    ("judge/verdict.py", "if again.changed:", "if False:", "judge/test_session.py -k told_what_happened"),
    ("judge/verdict.py", "if compare(again.value, outcome.value, check.tolerance):", "if False:", "judge/test_session.py -k told_what_happened"),
    ("judge/verdict.py", "if outcome.todo:", "if False:", "judge/test_session.py -k told_what_happened"),
    ("learner/standing.py", "standing.star = standing.state == \"done\" and hidden.star", "standing.star = hidden.star", "learner/test_standing.py::test_a_standing_needs_both_results"),
    ("learner/standing.py", "if seen.status == \"done\" and exercise.grader.exists() and known is None:", "if False:", "learner/test_standing.py::test_a_verdict_is_forgotten_with_its_file"),
    ("learner/memory.py", "and stored.get(\"of\") == digest(kind, exercise) else None", "else None", "learner/test_standing.py::test_a_verdict_is_forgotten_with_its_file"),
    ("learner/memory.py", "if not isinstance(stored, dict) or stored.get(\"of\") != digest(\"worth\", exercise):", "if not isinstance(stored, dict):", "learner/test_standing.py::test_points_are_remembered_for_the_grader_as_it_is"),
    ("learner/verdicts.py", "if self.fault or self.status == \"error\":\n            return None\n        return {\"status\": self.status, \"passed\"", "if self.fault:\n            return None\n        return {\"status\": self.status, \"passed\"", "learner/test_standing.py::test_what_says_nothing_about_the_file_is_not_remembered"),
    ("learner/verdicts.py", "for c in checks if c.star) if self.done else 0", "for c in checks if c.star)", "learner/test_standing.py::test_hidden_checks_are_told_in_a_line"),
    ("learner/watch_model.py", "waiting = standing.state == \"done\" and self.tickets[\"hidden\"]", "waiting = False", "learner/test_standing.py::test_tests_that_pass_are_not_enough"),
    ("learner/watch_model.py", "and self.moves_on and not (self.saved and self.can_wait):", "and self.moves_on:", "learner/test_standing.py::test_a_saved_exercise_stays_open_until_a_key"),
    ("learner/watch_model.py", "if not answer.get(\"ticket\") or answer[\"ticket\"] != self.tickets[kind]:", "if not answer.get(\"ticket\"):", "learner/test_standing.py::test_the_answer_to_an_earlier_save_is_not_taken"),
    ("learner/watch_model.py", "bad.sort(key=lambda c: c.star)", "pass", "learner/test_standing.py::test_wrong_checks_are_the_message_and_the_task_comes_first"),
    ("learner/watch_model.py", "if key == \"y\" else \"Nothing was changed.\"", "if key else \"Nothing was changed.\"", "learner/test_standing.py::test_reset_needs_a_yes"),
    ("learner/saves.py", "        if now - self.since < self._patience():\n", "        if False:\n", "learner/test_watch.py::test_a_save_is_noticed_once"),
    ("learner/saves.py", "        self.taken = mark\n        return True", "        return True", "learner/test_watch.py::test_a_save_is_noticed_once"),
    ("limits/__init__.py", "MIB = 2**20", "MIB = 10**6", "project/test_limits_table.py::test_the_page_shows_every_limit"),
    ("limits/__init__.py", "CHECK_SECONDS = 10.0", "CHECK_SECONDS = 1.0", "project/test_limits_table.py::test_the_page_shows_every_limit"),
    ("limits/__init__.py", "Threads of a worker. Enough for PyTorch's own thread pools, too few for a fork bomb.", "Threads of a worker.", "project/test_limits_table.py::test_every_limit_has_a_reason_and_a_user"),
    ("limits/__init__.py", "FRAME_DEPTH = 32", "FRAME_DEPTH = 3200", "wire/test_strict.py::test_deep_nesting_is_cut_by_the_sender"),
    ("limits/__init__.py", "TENSOR_DIMS = 32", "TENSOR_DIMS = 8", "wire/test_strict.py::test_a_frame_that_breaks_the_format_is_refused"),
    ("limits/__init__.py", "STARTER_RESTARTS = 8", "STARTER_RESTARTS = 0", "judge/test_faults.py::test_a_killed_zygote_is_started_anew"),
    ("limits/__init__.py", "WORKER_PRINTED_BYTES = 10_000", "WORKER_PRINTED_BYTES = 1_000", "judge/test_session.py::test_prints_are_kept_check_by_check_and_cut"),
    ("limits/__init__.py", "NESTED_ARCHIVES = 2", "NESTED_ARCHIVES = 1", "submission/test_inbox.py::test_an_archive_in_an_archive_is_opened"),
    ("limits/__init__.py", "SUBMISSION_ARCHIVES = 20", "SUBMISSION_ARCHIVES = 200", "submission/test_inbox.py::test_twenty_archives_are_enough"),
    ("limits/__init__.py", "ARCHIVE_DEPTH = 24", "ARCHIVE_DEPTH = 23", "submission/test_inbox.py::test_a_file_below_twenty_four_folders_is_read"),
    ("limits/__init__.py", "SUBMISSION_FILES = 2_000", "SUBMISSION_FILES = 20_000", "submission/test_inbox.py::test_too_many_files_are_refused"),
    ("limits/__init__.py", "PYTHON_FILE_BYTES = 1_000_000", "PYTHON_FILE_BYTES = 1_000", "submission/test_folder.py::test_a_file_that_cannot_be_used_costs_its_exercise_only"),
    ("limits/__init__.py", "NOTEBOOK_CELLS = 5_000", "NOTEBOOK_CELLS = 50_000", "submission/test_inbox.py::test_a_notebook_of_too_many_cells_says_so"),
    ("limits/__init__.py", "READING_SECONDS = 20.0", "READING_SECONDS = 0.02", "submission/test_budget.py::test_an_ordinary_submission_uses_a_small_part"),
    ("mutate/edits.py", "if isinstance(node, (ast.Import, ast.ImportFrom, ast.Raise, ast.JoinedStr)):", "if isinstance(node, (ast.Import, ast.ImportFrom)):", "mutate/test_mutants.py::test_same_source_gives_the_same_mutants"),
    ("mutate/tensor_slips.py", "if not kept and dim_arguments(node):", "if False:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/statement_slips.py", "if isinstance(node, ast.Break):", "if False:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/python_slips.py", "if old in OPPOSITES:", "if False:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/python_slips.py", "if isinstance(node, ast.BoolOp):", "if False:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/graph_slips.py", "if text.startswith(\"torch.\") or text == \"once_differentiable\":", "if False:", "mutate/test_mutants.py::test_decorator_is_dropped_with_its_line"),
    ("mutate/tensor_slips.py", "if opposite := {\"mean\": \"sum\", \"sum\": \"mean\"}.get(reduction):", "if opposite := {\"mean\": \"sum\"}.get(reduction):", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/tensor_slips.py", "if not isinstance(node, ast.Call) or not dims or called(node) in MUST_HAVE_DIM:", "if not isinstance(node, ast.Call) or not dims:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/statement_slips.py", "if {called(getattr(node, \"value\", None)) for node in (one, other)} <= IN_ANY_ORDER:", "if False:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/python_slips.py", "if isinstance(node, ast.BinOp) and not is_text(node.left) and not is_text(node.right):", "if isinstance(node, ast.BinOp):", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/python_slips.py", "if not _comes_to_nothing(parent, other):", "if True:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("mutate/graph_slips.py", "if isinstance(above, ast.With) and any(called(item.context_expr) in GRAD_MODES for item in above.items):", "if False:", "mutate/test_mutants.py::test_slip_changes_these_lines_and_no_others"),
    ("notebook/check.py", "if owner == exercise_id:", "if False:", "notebook/test_notebook.py::test_a_check_looks_at_the_newest_cell"),
    ("notebook/check.py", "if owner or not (defines(source, names) or keys & names_of(source)[1]):", "if not (defines(source, names) or keys & names_of(source)[1]):", "notebook/test_notebook.py::test_a_check_looks_at_the_newest_cell"),
    ("notebook/check.py", "        if owner and owner != exercise_id:", "        if owner:", "notebook/test_notebook.py::test_a_check_looks_at_the_newest_cell"),
    ("notebook/sync.py", "if not file.strip() or digest(file) == self.stub:", "if not file.strip():", "notebook/test_notebook.py::test_a_stub_never_replaces_work"),
    ("notebook/sync.py", "if digest(self.cell) == self.stub or not self.cell.strip():", "if not self.cell.strip():", "notebook/test_notebook.py::test_a_stub_never_replaces_work"),
    ("notebook/sync.py", "return \"file\" if digest(self.cell) == self.base else \"both\"", "return \"file\"", "notebook/test_notebook.py::test_nothing_moves_when_both_have_changed"),
    ("notebook/sync.py", "if conflicts and keep is None:", "if False:", "notebook/test_notebook.py::test_nothing_moves_when_both_have_changed"),
    ("notebook/sync.py", "if len(texts) > 1:", "if False:", "notebook/test_notebook.py::test_sync_refuses_what_cannot_be_a_file"),
    ("notebook/sync.py", "aside = _put_aside(pair, pair.file) if pair.ahead == \"both\" else \"\"", "aside = \"\"", "notebook/test_notebook.py::test_nothing_moves_when_both_have_changed"),
    ("notebook/sync.py", "        if side == \"notebook\":\n            _must_be_python(pair, path)", "        if False:\n            _must_be_python(pair, path)", "notebook/test_notebook.py::test_sync_refuses_what_cannot_be_a_file"),
    ("notebook/build.py", "if used[cell.id] > 1:", "if False:", "notebook/test_notebook.py::test_the_notebooks_in_the_repository_are_up_to_date"),
    ("notebook/build.py", "if not any(c.id == exercise.stem for c in cells):", "if False:", "notebook/test_notebook.py::test_a_notebook_has_lesson_exercise_and_check_in_order"),
    ("notebook/build.py", "tags=[\"raises-exception\"] if raised else []", "tags=[]", "notebook/test_notebook.py::test_the_notebooks_in_the_repository_are_up_to_date"),
    ("notebook/build.py", "if block[1] == \"text\" and number and blocks[number - 1][1] == \"python\":", "if block[1] == \"text\":", "notebook/test_notebook.py::test_a_picture_of_the_lesson_is_in_the_notebook"),
    ("release/secrets.py", "if level > released:", "if level > released + 1:", "release/test_proof.py -m not(slow)"),
    ("release/secrets.py", "if len(words) >= WORDS:", "if len(words) >= 3 * WORDS:", "release/test_proof.py -m not(slow)"),
    ("release/secrets.py", "return name.startswith(\"reference\") and not name.endswith(\"_variants.py\")", "return False", "release/test_proof.py -m not(slow)"),
    ("release/proof.py", "if not (secret.own and work):", "if True:", "release/test_proof.py::test_what_a_learner_writes_is_no_leak"),
    ("release/look.py", "\"rev-list\", \"--objects\", \"--all\", \"--reflog\", \"--indexed-objects\"", "\"rev-list\", \"--objects\", \"HEAD\"", "release/test_proof.py::test_a_planted_leak_is_found"),
    ("release/look.py", "\"--is-shallow-repository\").strip() == b\"true\":", "\"--is-shallow-repository\") == b\"true\":", "release/test_proof.py::test_a_history_that_is_cut_off_proves_nothing"),
    ("release/place.py", "if manifest[\"for\"] != kind:", "if False:", "release/test_release.py::test_what_cannot_be_used_is_refused_untouched"),
    ("release/place.py", "    if _through_link(root, path):\n", "    if False:\n", "release/test_release.py::test_links_in_the_repo_lead_nowhere"),
    ("release/place.py", "if outdated and digest((root / path).read_bytes()) == old[path]:", "if outdated:", "release/test_release.py::test_a_workflow_that_is_no_longer_released_is_removed"),
    ("release/place.py", "data.replace(b\"\\r\\n\", b\"\\n\")).hexdigest()", "data).hexdigest()", "release/test_release.py::test_line_ends_of_windows_are_no_changes"),
    ("release/files.py", "hints.hints_of(e)[: release.hints]", "hints.hints_of(e)", "release/test_release.py::test_hints_go_along_up_to_their_level"),
    ("release/choose.py", "return [e for e in dojo.exercises if e.id in named or e.id in before]", "return [e for e in dojo.exercises if e.id in named]", "release/test_release.py::test_chapters_and_the_fast_track_are_chosen_and_add_up"),
    ("release/choose.py", "core = [share for e, share in own.items() if not is_bonus(e)]", "core = list(own.values())", "release/test_release.py::test_points_add_up_and_are_remembered"),
    ("release/grading.py", "if (target and target.resolve() in around) or any(_for_students(folder / MANIFEST) for folder in around):", "if target and target.resolve() in around:", "release/test_release.py::test_graders_never_go_into_a_student_repo"),
    ("release/nbgrader.py", "locked=True, points=0 if e.bonus else points, task=True", "locked=True, points=points, task=True", "release/test_nbgrader.py::test_the_metadata_is_of_schema_version_3"),
    ("release/secrets.py", "if secret not in seen and tuple(text[place : place + len(secret.tokens)]) == secret.tokens:", "if secret not in seen:", "release/test_proof.py::test_what_only_begins_like_a_secret_is_no_leak"),
    ("release/proof.py", "for tokenized in (tokens(text), code_tokens(text)):", "for tokenized in (tokens(text),):", "release/test_proof.py::test_a_planted_leak_is_found"),
    ("release/look.py", "            if archive.comment:\n", "            if False:\n", "release/test_proof.py::test_a_planted_leak_is_found"),
    ("release/look.py", "if not k.startswith(\"GIT_\")}", "}", "release/test_proof.py::test_variables_of_git_lead_to_no_other_repository"),
    ("release/wrappers.py", "return replace(release, exercises=[exercise], points={exercise.id: release.points[exercise.id]})", "return release", "commands/test_deliver.py::test_a_question_of_prairielearn_is_complete"),
    ("reports/rows.py", "int(score / worth * points)", "round(score / worth * points)", "reports -m not(slow)"),
    ("reports/rows.py", "f\"| {part}\"", "part", "reports/test_one.py -m not(slow)"),
    ("reports/rows.py", "text[: most - 6].rstrip() + \" [cut]\"", "text[:most]", "reports/test_one.py -m not(slow)"),
    ("reports/rounding.py", "parts[n] += 1", "parts[n] += 0", "reports/test_one.py -m not(slow)"),
    ("reports/rows.py", "worth if passed else min(score, worth)", "worth if passed else score", "reports/test_one.py::test_no_check_earns_more_than_it_is_worth"),
    ("reports/rows.py", "if score >= worth:", "if score > worth:", "reports/test_one.py::test_the_golden_text"),
    ("reports/points.py", "if exercises and record[\"interrupted\"]:", "if exercises:", "reports/test_one.py::test_grading_that_was_stopped_is_never_worth_more"),
    ("reports/points.py", "if e[\"id\"] not in points:\n            continue", "if False:\n            continue", "reports/test_one.py::test_points_are_scaled_exactly_and_our_faults_cost_nothing"),
    ("reports/rounding.py", "bonus = [is_bonus(e[\"id\"]) for e in record[\"exercises\"]]", "bonus = [False for e in record[\"exercises\"]]", "reports/test_bonus.py::test_scaled_and_rounded_records_keep_the_rule"),
    ("reports/one/gradescope.py", "full / worth if 0 < worth < full else Fraction(1)", "Fraction(1)", "reports/test_one.py::test_an_exercise_that_we_broke_costs_nothing_in_gradescope"),
    ("reports/one/classroom50.py", "        if not small:\n            break\n", "        break\n", "reports/test_same_points.py::test_whole_points_add_up"),
    ("reports/many/_cells.py", "return plain_text.cell(plain_text.one_line(str(value)))", "return plain_text.one_line(str(value))", "reports/test_many.py::test_csv_has_a_column_for_each_exercise_and_no_formula"),
    ("reports/many/moodle.py", "return number(min(most, value * most / book.max_score))", "return number(value * most / book.max_score)", "reports/test_bonus.py::test_a_moodle_worksheet_gets_no_more_than_its_maximum"),
    ("reports/many/_analysis.py", "            others = total - exercise.score\n", "            others = total\n", "reports/test_many.py::test_a_check_is_compared_with_the_other_exercises_alone"),
    ("reports/many/junit.py", "        values |= {\"status\": student.status}\n", "        values |= {\"score\": number(student.score)}\n", "reports/test_pending.py::test_junit_names_no_score"),
    ("reports/many/html.py", "    book = _told_apart(book)\n", "", "reports/test_many.py::test_two_of_one_name_are_told_apart_on_the_page"),
    ("reports/one/codegrade.py", "min(int(row.score / row.worth * many), many - 1)", "round(row.score / row.worth * many)", "reports/test_feedback.py::test_codegrade_passes_all_cases_of_a_check_for_full_points_alone"),
    ("reports/many/_places.py", "if len(claims) == 1 and not claims.keys() & taken:", "if claims and not claims.keys() & taken:", "reports/test_many.py::test_a_line_that_fits_two_students_belongs_to_neither"),
    ("reports/many/_places.py", "number = s.number or (\"\" if s.row else s.id)", "number = s.number or s.id", "reports/test_many.py::test_a_schools_number_is_no_number_of_the_platform"),
    ("sandbox/devices.py", "if len(devices) > 2:", "if False:", "sandbox/test_devices.py::test_two_accelerators_are_refused"),
    ("sandbox/devices.py", "devices = list(dict.fromkeys([\"cpu\", *names]))", "devices = list(dict.fromkeys(names))", "sandbox/test_devices.py::test_names_are_read_with_the_cpu_first"),
    ("sandbox/devices.py", "if unknown or not names:", "if unknown:", "sandbox/test_devices.py::test_unknown_names_are_refused_with_the_known_ones"),
    ("sandbox/devices.py", "return None if \"sim\" in devices else", "return None if True else", "sandbox/test_devices.py::test_what_a_check_needs_is_named"),
    ("sandbox/devices.py", "return device != \"mps\" or not any(", "return True or not any(", "sandbox/test_devices.py::test_examples_that_a_device_cannot_hold_are_left_to_the_others"),
    ("sandbox/isolation.py", "return [name for name in FACILITIES if name not in on] if on else []", "return [name for name in FACILITIES if name not in on]", "sandbox/test_isolation.py::test_nothing_is_missing_where_no_worker_was_needed"),
    ("sandbox/locks/lockdown.py", "_prctl(NO_NEW_PRIVS, 1)", "pass", "sandbox/test_isolation.py::test_all_is_on_and_nothing_is_missing"),
    ("sandbox/locks/lockdown.py", "_set_limit(resource.RLIMIT_NOFILE, limits.open_files)", "pass", "sandbox/test_isolation.py::test_all_is_on_and_nothing_is_missing"),
    ("sandbox/locks/selftest.py", "if space.f_blocks * space.f_frsize > limits.scratch_bytes:", "if False:", "sandbox/test_isolation.py::test_each_effect_is_felt"),
    ("sandbox/start.py", "if os.environ.get(\"TORCHDOJO_WORKER\") == \"portable\" or", "if", "sandbox/test_portable.py::test_the_variable_chooses_it"),
    ("sandbox/linux.py", "if self.revived >= STARTER_RESTARTS:", "if True:", "judge/test_faults.py::test_a_killed_zygote_is_started_anew"),
    ("sandbox/linux.py", "if reply.get(\"id\") != number:", "if False:", "judge/test_session.py::test_a_forged_reply_is_never_a_pass"),
    ("sandbox/linux.py", "if type(reply) is not dict:", "if False:", "judge/test_session.py::test_a_forged_reply_is_never_a_pass"),
    ("sandbox/linux.py", "        self.log.truncate(0)  # the worker's", "        pass  # the worker's", "judge/test_session.py::test_prints_are_kept_check_by_check_and_cut"),
    ("sandbox/locks/landlock.py", "if version < since:", "if version <= since:", "sandbox/locks/test_lockdown.py::test_landlock_is_asked_for_all_that_a_kernel_knows_and_no_more"),
    ("sandbox/zygote.py", "    environment.scrub()  # once", "    pass  # once", "sandbox/test_linux.py::test_workers_of_a_forked_starter_have_no_variables_of_the_grader"),
    ("sandbox/zygote.py", "        os.closerange(4, 4096)\n", "", "sandbox/test_linux.py::test_a_worker_has_no_descriptors_but_its_own"),
    ("sandbox/locks/lockdown.py", "    _prctl(DUMPABLE, 0)  # other", "    pass  # other", "sandbox/locks/test_lockdown.py::test_attacks_are_refused"),
    ("sim/mixing.py", "if x.device != first:", "if False:", "sim/test_device_mixing.py -m not(slow)"),
    ("sim/chance.py", "drawn_from(self).manual_seed(seed ^ _OTHER)", "drawn_from(self).manual_seed(seed)", "sim -m not(slow)"),
    ("sim/mixing.py", "and x.dim() == 0 and argument != \"mask\"", "and x.dim() == 0", "sim/test_device_mixing.py::test_mixing_is_refused_in_cudas_words"),
    ("sim/kernels.py", "            if alias.shape == x.shape:\n", "            if True:\n", "sim/test_device_tensors.py::test_out_tensors_are_filled_and_resized"),
    ("sim/kernels.py", "            with chance.Borrowed():\n                result", "            if True:\n                result", "sim/test_device_tensors.py::test_random_numbers_are_there_repeat_and_are_not_the_cpus"),
    ("sim/kernels.py", "op = self.op if not _autocast(\"cpu\") else self.as_written", "op = self.op", "sim/test_device_training.py::test_autocast_of_the_cpu_does_nothing_there"),
    ("sim/chance.py", "twins.pop(int(self._cdata), None)", "pass", "sim/test_sim.py::test_a_generator_is_forgotten_with_its_last_name"),
    ("sim/chance.py", "return (Generator, (\"sim\",), self.get_state()) if", "return (Generator, (\"sim\",)) if", "sim/test_sim.py::test_copies_of_a_generator_go_on_alike"),
    ("sim/cuda.py", "raise type(error)(_to_cuda(str(error))) from None", "raise", "sim/test_sim.py::test_the_alias_refuses_in_cudas_own_words"),
    ("sim/accelerator.py", "        _shown.remove(device)\n", "        pass\n", "sim/test_sim.py::test_the_accelerator_is_named_while_it_is_shown_only"),
    ("sim/special.py", "    target = x.device if device is None else device\n", "    target = CPU if device is None else device\n", "sim/test_device_tensors.py::test_dtype_and_device_change_together"),
    ("sim/mixing.py", "and x.dim() == 0):\n                continue", "and False):\n                continue", "sim/test_device_mixing.py::test_indices_are_carried_to_the_tensor_that_is_written_to"),
    ("sim/cuda.py", "        stack.callback(chance.names.discard, \"cuda\")\n", "", "sim/test_sim.py::test_the_alias_runs_a_program_that_says_cuda"),
    ("sim/runtime.py", "x.is_floating_point() and x.dtype is not torch.float64", "x.is_floating_point()", "sim/test_device_training.py::test_autocast_chooses_dtypes"),
    ("submission/recognise.py", "if stem.startswith((\"grade_\", \"picture_\")) or", "if", "submission/test_inbox.py submission/test_folder.py -m not(slow)"),
    ("submission/folder.py", "if not real.is_relative_to(root.resolve()):", "if False:", "submission/test_folder.py -m not(slow)"),
    ("submission/archives.py", "return any(part in JUNK or part", "return any(part", "submission/test_inbox.py submission/test_folder.py -m not(slow)"),
    ("submission/recognise.py", "return file is None or digest_of(file)", "return file is not None and digest_of(file)", "submission/test_whose.py::test_what_a_later_submission_lacks_is_taken_from_an_earlier_one"),
    ("submission/times.py", "if f.lstat().st_mtime > moment]", "if f.lstat().st_mtime < moment]", "submission/test_inbox.py::test_the_time_is_gits_where_there_is_one"),
    ("submission/unpack.py", "if not archive.resolve().is_relative_to(path.resolve()):", "if False:", "submission/test_inbox.py::test_an_archive_that_is_a_link_elsewhere_is_not_opened"),
    ("submission/unpack.py", "notes, refusals, depth - 1)", "notes, refusals, depth)", "submission/test_inbox.py::test_an_archive_in_an_archive_is_opened"),
    ("submission/unpack.py", "        if is_ours(error):\n            raise\n", "", "submission/test_inbox.py::test_a_full_disk_is_not_blamed_on_a_student"),
    ("submission/archives.py", "if path.is_absolute() or \"..\" in path.parts or", "if path.is_absolute() or", "submission/test_inbox.py::test_a_path_that_leaves_the_folder_is_refused"),
    ("submission/archives.py", "return kind or (\"zip\" if archive.name.lower().endswith(\".zip\") else \"tar\")", "return \"zip\" if archive.name.lower().endswith(\".zip\") else \"tar\"", "submission/test_inbox.py::test_an_archive_with_another_kinds_name"),
    ("submission/archives.py", "data = _read(stream, most + 1)", "data = _read(stream, most)", "submission/test_inbox.py::test_a_file_that_lies_about_its_size_is_cut_and_refused"),
    ("submission/archives.py", "            os.utime(path, (moment, moment))\n", "            pass\n", "submission/test_inbox.py::test_files_keep_their_time_in_an_archive"),
    ("submission/candidates.py", "return tuple(-int(word) if n % 2", "return tuple(int(word) if n % 2", "submission/test_inbox.py::test_of_several_versions_the_last_numbered_is_taken"),
    ("submission/folder.py", "        if not stat.S_ISREG(status.st_mode):", "        if False:", "submission/test_folder.py::test_a_file_that_cannot_be_used_costs_its_exercise_only"),
    ("submission/times.py", "                    if not entry.is_file(follow_symlinks=False) or", "                    if not entry.is_file() or", "submission/test_inbox.py::test_a_checkout_with_a_pipe_in_it_is_not_waited_for"),
    ("submission/times.py", "if not re.search(r\"[T :]\", word, re.IGNORECASE):", "if False:", "classroom/test_regrade.py::test_times"),
    ("submission/neighbors.py", "if len(helper.parts) == 1 and helper.stem in KNOWN_MODULES]", "if helper.stem in KNOWN_MODULES]", "submission/test_folder.py::test_a_module_in_a_package_hides_behind_no_other"),
    ("submission/neighbors.py", "    more = len(cleaned) - MOST_NOTES\n", "    more = len(cleaned) - MOST_NOTES + 1\n", "submission/test_folder.py::test_each_note_is_given_once_and_of_many_the_first_hundred"),
    ("submission/recognise.py", "            return [(self.single, 3)] if defined & self.defines[self.single.id] else []", "            return [(self.single, 3)]", "submission/test_whose.py::test_a_file_of_something_else_is_not_taken_for_the_only_exercise"),
    ("verify/selection.py", "if name.startswith(ENGINE):", "if False:", "verify/test_verify.py::test_changed_files_touch_their_exercise"),
    ("verify/selection.py", "if part and place % n == k % n}", "if part and place % n == k}", "verify/test_verify.py::test_changed_asks_git_and_sample_adds_a_part"),
    ("verify/texts.py", "yield from (name for name, count in Counter(names).items() if count > 1 and name != \"_\")", "yield from ()", "verify/test_edits.py::test_an_edit_that_replaces_another_one_is_named"),
    ("verify/texts.py", "elif listed and not stars:", "elif False:", "verify/test_points.py::test_a_stub_has_the_list_where_its_grader_has_stars"),
    ("verify/texts.py", "if stars and not listed:", "if False:", "verify/test_points.py::test_a_stub_has_the_list_where_its_grader_has_stars"),
    ("verify/texts.py", "if variant.kind == \"mistake\" and not variant.sentence:", "if False:", "verify/test_edits.py::test_an_author_is_told_what_an_edit_lacks"),
    ("verify/texts.py", "if not picture.alt.strip():", "if False:", "verify/test_lesson_blocks.py::test_a_picture_is_there_and_has_a_text"),
    ("verify/selection.py", "if parts[0] == \"graders\" and len(parts) == 2:", "if False:", "verify/test_verify.py::test_changed_files_touch_their_exercise"),
    ("verify/kill_table.py", "return not (mine and theirs and mine.isdisjoint(theirs))", "return True", "verify/test_further.py::test_checks_are_compared_with_those_of_the_same_functions"),
    ("verify/tasks.py", "if (words := len(text.split())) > SYMPTOM_WORDS:", "if (words := len(text.split())) > 10 * SYMPTOM_WORDS:", "verify/test_tasks.py::test_a_symptom_is_short_and_can_be_run"),
    ("verify/tasks.py", "if not is_repair and not _is_to_write(function):", "if not _is_to_write(function):", "verify/test_tasks.py::test_arguments_of_a_given_function_need_no_words"),
    ("verify/given_lines.py", "body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body\n    head", "body = node.body\n    head", "verify/test_given_lines.py::test_only_lines_of_the_learner_have_mutants"),
    ("verify/prices.py", "if True in prices and 1 - wrong.share_lost > AT_MOST:", "if False:", "verify/test_prices.py::test_a_forbidden_whole_solution_that_earns_points_is_a_finding"),
    ("wire/strict.py", "if self.offset != len(self.body):", "if False:", "wire"),
    ("wire/strict.py", "if self.tensors > FRAME_TENSORS:", "if False:", "wire"),
    ("wire/strict.py", "if end > len(body):", "if end > len(body) + 8:", "wire"),
    ("wire/frames.py", "if size > FRAME_BYTES:", "if False:", "wire"),
    ("wire/frames.py", "if done > size:", "if False:", "wire"),
    ("wire/strict.py", "if len(x) > 1 and not x.keys() <= (_KEYS_OF_VIEWS if self.views else _KEYS):", "if False:", "wire/test_strict.py::test_a_frame_that_breaks_the_format_is_refused"),
    ("wire/strict.py", "if type(n) is not int or not 0 <= n < 1 << 40:", "if type(n) is not int or not n < 1 << 40:", "wire/test_strict.py::test_a_frame_that_breaks_the_format_is_refused"),
    ("wire/strict.py", "if not self.views and len(entries) > DICT_KEYS:", "if False:", "wire/test_strict.py::test_a_frame_that_breaks_the_format_is_refused"),
    ("wire/strict.py", "if len(digits) > 20 or not -(1 << 63) <= int(digits) < 1 << 63:", "if len(digits) > 20:", "wire/test_strict.py::test_a_frame_that_breaks_the_format_is_refused"),
    ("wire/strict.py", "elif dtype is torch.bool:", "elif False:", "wire/test_strict.py::test_bytes_of_a_bool_tensor_become_true_or_false"),
    ("wire/frames.py", "body.extend(bytes(min(size - done, max(FIRST, done))))", "body.extend(bytes(size - done))", "wire/test_outcome.py::test_a_claim_alone_takes_no_memory"),
    ("wire/outcome.py", "if not isinstance(outcome, dict) or (\"value\" in outcome) == (\"raised\" in outcome):", "if not isinstance(outcome, dict):", "judge/test_session.py::test_outcomes_of_another_form_are_refused"),
    ("wire/outcome.py", "if not isinstance(packed, list) or len(packed) > most:", "if not isinstance(packed, list):", "wire/test_outcome.py::test_more_outcomes_than_inputs_are_refused"),
    ("wire/pack.py", "        if len(entries) > DICT_KEYS and not views:\n", "        if False:\n", "wire/test_strict.py::test_an_array_keeps_its_shape"),
    ("wire/pack.py", "    data = np.ascontiguousarray(x).reshape(x.shape)", "    data = np.ascontiguousarray(x)", "wire/test_strict.py::test_an_array_keeps_its_shape"),
    ("worker/run.py", "if after != before or seeded:", "if after != before:", "worker/test_surroundings.py::test_a_setting_that_is_left_changed_is_named_and_put_back"),
    ("worker/run.py", "if rng.drawn(seed, device, untouched):", "if False:", "worker/test_surroundings.py::test_who_draws_is_seen"),
    ("worker/state.py", "        if now[name] != state[name]:\n", "        if now[name] == state[name]:\n", "worker/test_surroundings.py::test_a_setting_that_is_left_changed_is_named_and_put_back"),
    ("worker/rng.py", "of_run = SEED if seed >= SEED else OTHER_SEED", "of_run = SEED", "worker/test_surroundings.py::test_a_repetition_gets_other_numbers"),
    ("worker/inputs.py", "if start <= address < end), owner)", "if start == address), owner)", "worker/test_surroundings.py::test_memory_of_an_argument_is_known_wherever_a_view_starts"),
    ("worker/run.py", "        warned.clear()\n", "", "worker/test_surroundings.py::test_a_run_does_not_deafen_those_after_it"),
    ("worker/rules.py", "        if _recording(_within):\n            _started()", "        pass", "worker/test_rules.py::test_the_recorder_is_on_for_one_watch_inside_of_another"),
    ("worker/inputs.py", "return self.tensor.requires_grad or (self.tensor.is_leaf and self.tensor.grad is not None)", "return self.tensor.requires_grad", "worker/test_surroundings.py::test_an_argument_that_requires_grad_or_has_a_gradient_afterwards_is_noted"),
    ("worker/operations.py", "            self.before(frame, event, argument)\n        _push_mode(self)", "            self.before(frame, event, argument)", "worker/test_rules.py::test_an_operation_in_a_thread_is_seen"),
    ("worker/calls.py", "        if printing:\n            return\n", "", "worker/test_function_probes.py::test_printing_a_tensor_calls_nothing_of_the_learners"),
    ("worker/probes.py", "        if type(error).__name__ == \"MissingName\":\n            raise\n", "", "worker/test_function_probes.py::test_a_missing_name_is_no_answer"),
    ("worker/probes.py", "elif getattr(part, \"ndim\", 0) > 1:", "elif getattr(part, \"ndim\", 0) > 0:", "worker/test_function_probes.py::test_state_that_is_not_where_the_parameters_are_is_found"),
    ("worker/probes.py", "    after = given.clone()\n", "    after = kept.clone()\n", "worker/test_function_probes.py::test_write_into_grad_shows_in_the_upstream_gradient"),
    ("worker/tampering.py", "        ids.append(len(torch.library._impls))\n", "", "worker/test_tampering.py::test_tampering_with_a_kernel_of_pytorch"),
    ("worker/tampering.py", "return [held for part in names for name, held in part.items() if name.startswith(\"_global\") and isinstance(held, dict)]", "return [held for name, held in names[0].items() if name.startswith(\"_global\") and isinstance(held, dict)]", "worker/test_tampering.py::test_tampering_by_a_hook_for_all_modules_or_optimizers"),
    ("worker/pytest_item.py", "return item.complaint if item.complaint or item.ran else \"pytest did not run this test\"", "return item.complaint", "commands/test_adopt.py::test_only_a_test_that_ran_passes"),
    ("worker/pytest_item.py", "elif own and isinstance(error, (AssertionError, pytest.fail.Exception)):", "elif isinstance(error, (AssertionError, pytest.fail.Exception)):", "commands/test_adopt.py::test_an_error_of_the_solution_is_raised_as_it_is"),
]


def copy_of_project(folder: Path) -> Path:
    """What git knows or would take of this project, as it lies here."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def caught(root: Path, module: str, before: str, after: str, tests: str) -> tuple[bool, str]:
    """Does a test fail with this fault? And pytest's line about the first one, or why there is none."""
    file = root / "torchdojo" / module
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if text.count(before) != 1:
        return False, f"the text stands there {text.count(before)} times, not once. Write the fault for the line as it is now."
    file.write_text(text.replace(before, after), encoding="utf-8")
    try:
        named = (f"tests/{w}" if "/" in w or (ROOT / "tests" / w).is_dir() else w for w in tests.split())
        status, printed = forked(root, ["-x", "-q", "-p", "no:cacheprovider", *named])
    finally:
        file.write_text(text, encoding="utf-8")
    failed = [line for line in printed.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return status != 0, (failed or [f"pytest ended with status {status}" if status else "NOT CAUGHT"])[0]


def forked(root: Path, words: list[str]) -> tuple[int, str]:
    """The wait status and the output of pytest on the copy, forked from this process, which has imported PyTorch already."""
    with tempfile.TemporaryFile() as out:
        child = os.fork()
        if child == 0:
            os.setsid()  # a group of its own, to be killed whole
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
            os.chdir(root)
            os.environ |= {"PYTHONPATH": str(root), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
            sys.path.insert(0, str(root))
            code = int(pytest.main(words))
            sys.stdout.flush()
            os._exit(code)
        select.select([os.pidfd_open(child)], [], [], SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        out.seek(0)
        return status, out.read().decode(errors="replace")


def main(*words: str) -> int:
    chosen = [one for one in BREAKS if not words or any(word in " ".join(one) for word in words)]
    uncaught = 0
    with tempfile.TemporaryDirectory(prefix="torchdojo-breaks-") as folder:
        root = copy_of_project(Path(folder))
        for module, before, after, tests in chosen:
            is_caught, line = caught(root, module, before, after, tests)
            uncaught += not is_caught
            print(f"{module}: {before.strip()!r}: {line}", flush=True)
    print(f"{len(chosen) - uncaught} of {len(chosen)} faults are caught.")
    return int(uncaught > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
