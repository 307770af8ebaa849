"""The GitHub workflows and the publishing guide: their commands, options and targets exist."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, TEXTS

import build
from edo.commands import cli

OF_PROJECTS = ROOT / "templates" / "project" / "publish.yml"
"""What `init --workflow` writes."""
WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), OF_PROJECTS]
GUIDE = (TEXTS / "publishing.md").read_text()
KEYS = {"name", "on", "permissions", "concurrency", "jobs"}
JOB_KEYS = {"if", "runs-on", "timeout-minutes", "permissions", "environment", "needs", "steps"}
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "env", "continue-on-error"}


def load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(path.read_text(), yaml.BaseLoader)
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in load(path)["jobs"].values() for step in job.get("steps", ())]


def commands(path: Path) -> list[str]:
    return [step["run"] for step in steps(path) if "run" in step]


ALL = [(path.name, command) for path in WORKFLOWS for command in commands(path)]
GUIDE_COMMANDS = [line.strip() for line in GUIDE.splitlines() if line.startswith("    python ")]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_are_well_formed_and_need_few_permissions(path: Path):
    workflow = load(path)
    assert set(workflow) <= KEYS
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        if called := job.get("uses"):
            assert set(job) <= {"uses", "needs", "with"}
            assert "workflow_call" in load(ROOT / called)["on"]
            continue
        assert set(job) <= JOB_KEYS
        assert int(job["timeout-minutes"]) <= 30
    for step in steps(path):
        assert set(step) <= STEP_KEYS
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])  # no tag can move it


@pytest.mark.parametrize(("name", "command"), ALL)
def test_no_expression_is_expanded_inside_a_command(name: str, command: str):
    assert "${{" not in command, f"{name}: pass it in env"


def options_of(words: list[str]) -> set[str]:
    return {word.partition("=")[0] for word in words if word.startswith("--")}


def help_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    if words[1].endswith("build.py"):
        run, given = build.main, ["--help"]
    else:
        assert words[1:3] == ["-m", "edo"]
        run, given = cli.main, [words[3], "--help"]
    with pytest.raises(SystemExit) as exit_:
        run(given)
    assert exit_.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", [*(c for _, c in ALL if "python" in c), *GUIDE_COMMANDS])
def test_commands_and_options_exist(command: str, capsys: pytest.CaptureFixture[str]):
    words = shlex.split(command.partition(">")[0])
    assert words[0] in (".venv/bin/python", "program/.venv/bin/python", "python")
    known = re.findall(r"--[a-z-]+", help_of(words, capsys))
    assert options_of(words) <= set(known)


def test_make_targets_exist():
    used = {c.split()[-1] for _, c in ALL if c.startswith("make ")}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert {"setup"} <= used <= targets


def test_pull_requests_are_checked_built_and_compared():
    path = ROOT / ".github/workflows/pull-request.yml"
    assert load(path)["on"] == {"pull_request": ""}  # whatever it changes
    check, built, diff, summary = commands(path)[1:]
    assert check.endswith('edo check --format github --since "origin/$GITHUB_BASE_REF"')
    assert built == ".venv/bin/python build.py"
    assert diff.endswith('edo diff "origin/$GITHUB_BASE_REF" events --format markdown > changes.md')
    assert summary == 'cat changes.md >> "$GITHUB_STEP_SUMMARY"'
    checkout = steps(path)[0]["with"]
    assert checkout["fetch-depth"] == "0"  # the base revision is needed
    offered = [s["with"]["path"] for s in steps(path) if "upload-artifact" in s.get("uses", "")]
    assert offered == ["site", "changes.md"]


def test_the_site_of_a_pull_request_is_built_once_and_tested():
    test = load(ROOT / ".github/workflows/pull-request.yml")["jobs"]["test"]
    assert test["needs"] == "history" and test["with"] == {"site": "true"}
    called = ROOT / test["uses"]
    assert set(load(called)["on"]) == {"workflow_call"}  # not also for itself
    download, run = steps(called)[-2:]
    assert download["if"] == "inputs.site" and download["with"]["name"] == "site"
    assert f"--site {download['with']['path']}" in run["env"]["PYTEST_ADDOPTS"]


SCRIPT = """
const [program, changes, files] = JSON.parse(process.argv[1]);
let body = null;
const found = { data: [{ head: { sha: 's' }, number: 1 }] };
const pulls = { list: async () => found, listFiles: 'files' };
const issues = { listComments: 'comments', createComment: async (one) => { body = one.body; } };
const github = { rest: { pulls, issues }, paginate: async (of) => of === 'files' ? files : [] };
const context = { payload: { workflow_run: { head_repository: { owner: { login: 'a' } },
  head_branch: 'b', head_sha: 's', html_url: 'https://github.com/a/b' } }, repo: {} };
const fs = { existsSync: () => true, readFileSync: () => changes };
const Script = (async () => {}).constructor;
new Script('github', 'context', 'require', program)(github, context, () => fs)
  .then(() => console.log(body));
"""
FORGED = "No rating changes. @all ![x](https://example.org/a.png) ```` `"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("file", "before", "own"),
    [("events/1851/a.yaml", None, False), ("edo/a.py", None, True), ("Makefile", None, True),
     ("events/1851/a.yaml", "templates/a.html", True), (".github/workflows/a.yml", None, True)],
)  # fmt: skip
def test_a_comment_by_the_pull_requests_own_program_says_so(file: str, before: str | None, own):
    (job,) = load(ROOT / ".github/workflows/comment.yml")["jobs"].values()
    files = [{"filename": file, **({"previous_filename": before} if before else {})}]
    given = json.dumps([job["steps"][1]["with"]["script"], FORGED, files])
    done = subprocess.run(["node", "-e", SCRIPT, given], capture_output=True, text=True, check=True)
    assert ("Made by the pull request’s own program" in done.stdout) is own
    assert (f"`````text\n{FORGED}\n`````\n" in done.stdout) is own


def test_the_comment_runs_without_the_code_of_the_pull_request():
    workflow = load(ROOT / ".github/workflows/comment.yml")
    assert workflow["on"]["workflow_run"]["workflows"] == [
        load(ROOT / ".github/workflows/pull-request.yml")["name"]
    ]
    (job,) = workflow["jobs"].values()
    assert job["permissions"] == {"actions": "read", "pull-requests": "write"}
    used = [step["uses"].partition("@")[0] for step in job["steps"]]
    assert used == ["actions/download-artifact", "actions/github-script"]  # no checkout
    assert "${{" not in job["steps"][1]["with"]["script"]


def test_pre_commit_runs_commands_that_exist(capsys: pytest.CaptureFixture[str]):
    (local,) = load(ROOT / ".pre-commit-config.yaml")["repos"]
    for hook in local["hooks"]:
        help_of(shlex.split(hook["entry"]), capsys)
        assert hook["pass_filenames"] == "false"


def test_the_main_branch_is_published_on_github_pages():
    path = ROOT / ".github/workflows/publish.yml"
    workflow = load(path)
    assert workflow["on"]["push"]["branches"] == ["main"]
    assert workflow["concurrency"] == {"group": "pages", "cancel-in-progress": "false"}
    building, deploying = workflow["jobs"]["build"], workflow["jobs"]["deploy"]
    assert workflow["jobs"][building["needs"]] == {"uses": "./.github/workflows/test.yml"}
    assert building["permissions"] == {"contents": "read", "pages": "read"}
    assert deploying["permissions"] == {"pages": "write", "id-token": "write"}
    assert deploying["needs"] == "build"
    names = [step.get("uses", "").partition("@")[0] for step in steps(path)]
    order = ("configure-pages", "upload-pages-artifact", "deploy-pages")
    places = [names.index(f"actions/{name}") for name in order]
    assert places == sorted(places)
    (upload,) = (s for s in steps(path) if "upload-pages-artifact" in s.get("uses", ""))
    assert upload["with"]["path"] == "site"  # the default of build.py --out
    assert upload["with"]["include-hidden-files"] == "true"  # as static/.well-known/


def test_the_guide_has_four_commands():
    assert len(GUIDE_COMMANDS) == 4
    assert any("--record" in line for line in GUIDE_COMMANDS)


@pytest.mark.skipif(shutil.which("rsync") is None, reason="rsync is not installed")
def test_the_rsync_recipe_switches_sites_atomically(tmp_path: Path):
    """Run the guide's commands with a local folder in place of the host."""
    recipe = re.search(r"^    edition=.*\n    rsync .*\n    ssh .*$", GUIDE, re.M)
    assert recipe
    served = tmp_path / "srv" / "chess"
    (served / "first").mkdir(parents=True)
    (served / "first" / "index.html").write_text("old")
    (served / "first" / "same.html").write_text("same")
    (served / "current").symlink_to("first")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("new")
    (tmp_path / "site" / "same.html").write_text("same")
    script = (
        recipe[0].replace("host:/srv/", f"{tmp_path}/srv/").replace("/srv/ratings", str(served))
    )
    script = script.replace(f"{tmp_path}{served}", str(served)).replace("ssh host ", "bash -c ")
    subprocess.run(["bash", "-euc", script], check=True, cwd=tmp_path)
    now = served / "current"
    assert now.is_symlink()
    assert (now / "index.html").read_text() == "new"
    assert (served / "first" / "index.html").read_text() == "old"
    assert (now / "same.html").samefile(served / "first" / "same.html")
    assert sorted(p.name for p in served.iterdir() if not p.name[0].isdigit()) == [
        "current",
        "first",
    ]
