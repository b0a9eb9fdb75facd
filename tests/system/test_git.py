"""What a directory is to git: compared with the real git."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.system.git import Identity, find_repository, normalise_remote, project_identity
from segue.system.gitfiles import MAX_BYTES, expanded, remote_of, settings
from tests.system.repositories import git, repository

HOSTED = "git@github.com:ana/shop.git"


def identity(path: pathlib.Path) -> Identity:
    return project_identity(str(path), "/home/nobody-here")


def key(path: pathlib.Path) -> tuple[str, str]:
    found = identity(path)
    return found.kind, found.value


@pytest.mark.promise("SYS-4")
def test_a_directory_is_its_remote_its_repository_or_itself(tmp_path: pathlib.Path) -> None:
    (tmp_path / "plain" / "sub").mkdir(parents=True)
    assert key(repository(tmp_path / "hosted", HOSTED)) == ("remote", "github.com/ana/shop")
    local = repository(tmp_path / "local")
    assert key(local) == ("git", str(local / ".git"))
    assert key(tmp_path / "plain") == ("directory", str(tmp_path / "plain"))
    assert key(tmp_path / "plain" / "sub") != key(tmp_path / "plain")


@pytest.mark.promise("SYS-6")
def test_worktrees_sub_folders_links_and_moved_checkouts_agree(tmp_path: pathlib.Path) -> None:
    local = repository(tmp_path / "repo")
    git(local, "worktree", "add", "-q", "-b", "feature-x", str(tmp_path / "repo-feature-x"))
    (local / "packages" / "web").mkdir(parents=True)
    (tmp_path / "link").symlink_to("repo")
    expected = ("git", str(local / ".git"))
    for path in (local, tmp_path / "repo-feature-x", local / "packages" / "web", tmp_path / "link", local / ".git"):
        assert key(path) == expected
    assert identity(local / "packages" / "web").root == str(local)
    hosted = repository(tmp_path / "hosted", HOSTED)
    before = key(hosted)
    shutil.move(hosted, tmp_path / "elsewhere")
    assert key(tmp_path / "elsewhere") == before


@pytest.mark.promise("SYS-4", "SYS-6")
def test_what_is_read_is_what_git_itself_says(tmp_path: pathlib.Path) -> None:
    local = repository(tmp_path / "repo", HOSTED)
    git(local, "worktree", "add", "-q", "-b", "feature/x", str(tmp_path / "tree"))
    git(local, "worktree", "add", "-q", "--detach", str(tmp_path / "loose"))
    for place in (local, tmp_path / "tree", tmp_path / "loose"):
        found = find_repository(str(place))
        assert found is not None
        assert found.root == git(place, "rev-parse", "--show-toplevel").strip()
        said = git(place, "rev-parse", "--git-common-dir").strip()
        assert found.common_dir == os.path.realpath(os.path.join(place, said))
        assert found.git_dir == os.path.realpath(git(place, "rev-parse", "--absolute-git-dir").strip())
        assert (found.branch or "") == git(place, "branch", "--show-current").strip()
        assert found.remote == HOSTED
        assert found.worktree is (place != local)


@pytest.mark.promise("SYS-6")
def test_clones_of_a_hosted_and_of_a_local_repository_are_its_project(tmp_path: pathlib.Path) -> None:
    local = repository(tmp_path / "local")
    hosted = repository(tmp_path / "hosted", "https://github.com/Ana/Shop")
    git(tmp_path, "clone", "-q", str(local), "copy of local")
    git(tmp_path, "clone", "-q", (tmp_path / "copy of local").as_uri(), "copy-of-copy")
    git(tmp_path, "clone", "-q", "--bare", str(local), "bare.git")
    git(tmp_path, "clone", "-q", str(tmp_path / "bare.git"), "of-bare")
    git(tmp_path, "clone", "-q", str(hosted), "of-hosted")
    for name in ("copy of local", "copy-of-copy", "bare.git", "of-bare"):
        assert key(tmp_path / name) == key(local)
    assert key(tmp_path / "of-hosted") == key(hosted) == ("remote", "github.com/ana/shop")
    assert key(local) != key(hosted)


@pytest.mark.promise("SYS-6")
def test_clones_of_each_other_agree_and_one_whose_original_is_gone_is_itself(tmp_path: pathlib.Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    repository(first, str(second))
    repository(second, str(first))
    assert key(first) == key(second)
    shutil.rmtree(second)
    assert key(first) == ("git", str(first / ".git"))


@pytest.mark.promise("SYS-6")
def test_a_submodule_is_its_own_project_and_a_bare_layout_one(tmp_path: pathlib.Path) -> None:
    library = repository(tmp_path / "library")
    shop = repository(tmp_path / "shop", HOSTED)
    git(shop, "submodule", "--quiet", "add", str(library), "lib")
    assert key(shop / "lib") == key(library)
    assert identity(shop / "lib").root == str(shop / "lib")
    assert key(shop) == ("remote", "github.com/ana/shop")
    nest = tmp_path / "nest"
    nest.mkdir()
    git(nest, "clone", "-q", "--bare", str(library), ".bare")
    (nest / ".git").write_text("gitdir: ./.bare\n", encoding="utf-8")
    git(nest, "worktree", "add", "-q", "tree", "main")
    git(nest / ".bare", "remote", "remove", "origin")
    assert key(nest) == key(nest / "tree") == key(nest / ".bare") == ("git", str(nest / ".bare"))


@pytest.mark.promise("SYS-5")
def test_home_what_is_above_it_root_and_folders_for_temporary_files_are_no_project(tmp_path: pathlib.Path) -> None:
    home = tmp_path / "home" / "ana"
    shop = home / "shop"
    shop.mkdir(parents=True)
    for path in (str(home), str(home.parent), str(tmp_path), "/", "/tmp", "/var/tmp", "", "a\0b"):
        assert project_identity(path, str(home)) == Identity(kind="none", value="", root=None)
    assert project_identity(str(shop), str(home)).kind == "directory"
    assert project_identity(str(home), None).kind == "directory"


@pytest.mark.promise("SYS-5")
def test_a_home_kept_in_git_is_no_project_but_directories_in_it_are(tmp_path: pathlib.Path) -> None:
    home = repository(tmp_path / "ana", "https://github.com/ana/dotfiles")
    (home / "shop").mkdir()
    inner = repository(home / "inner", HOSTED)
    assert project_identity(str(home), str(home)).kind == "none"
    assert project_identity(str(home / "shop"), str(home)) == Identity(
        kind="directory", value=str(home / "shop"), root=str(home / "shop")
    )
    assert project_identity(str(inner), str(home)).kind == "remote"
    assert project_identity(str(home / "shop"), "/home/nobody-here").kind == "remote"


@pytest.mark.promise("SYS-8")
def test_broken_files_of_git_are_no_repository_and_raise_nothing(tmp_path: pathlib.Path) -> None:
    outer = repository(tmp_path / "outer", HOSTED)
    for name, content in {"empty": b"", "astray": b"gitdir: /gone\n", "binary": bytes(range(256)), "no": b"x"}.items():
        (outer / name / "sub").mkdir(parents=True)
        (outer / name / ".git").write_bytes(content)
        assert find_repository(str(outer / name / "sub")) is None
        assert key(outer / name / "sub") == ("directory", str(outer / name))
    (outer / "hollow" / ".git").mkdir(parents=True)
    assert key(outer / "hollow") == key(outer)


@pytest.mark.promise("SYS-8")
def test_a_pipe_a_folder_and_a_huge_file_in_place_of_gits_own_hold_nobody_up(tmp_path: pathlib.Path) -> None:
    for name in ("HEAD", "config", "commondir"):
        piped, folder = repository(tmp_path / f"pipe-{name}"), repository(tmp_path / f"folder-{name}")
        for local in (piped, folder):
            (local / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(piped / ".git" / name)
        (folder / ".git" / name).mkdir()
        assert identity(piped).kind == identity(folder).kind == ("directory" if name == "HEAD" else "git")
    huge = repository(tmp_path / "huge", HOSTED)
    with (huge / ".git" / "config").open("ab") as file:
        file.write(b"\n[x]\n\ty = " + b"z" * (2 * MAX_BYTES))
    assert identity(huge).kind == "remote"


@pytest.mark.promise("SYS-8")
def test_a_directory_whose_name_is_no_text_has_an_identity_that_can_be_kept(tmp_path: pathlib.Path) -> None:
    local = tmp_path / os.fsdecode(b"caf\xe9")
    if sys.platform == "linux":
        repository(local)
        found = identity(local)
        assert found.kind == "git"
        assert (found.value + str(found.root)).encode("utf-8")


@pytest.mark.promise("SYS-8")
@given(st.text(alphabet='[]"\\=#; \n\taurlemot', max_size=80))
def test_no_configuration_makes_reading_it_fail(text: str) -> None:
    remote_of(text)
    expanded("gh:a/b", text)


@pytest.mark.promise("SYS-4")
def test_a_configuration_is_read_as_git_reads_it(tmp_path: pathlib.Path) -> None:
    text = """\
[core] bare = false
; [remote "origin"] url = https://example.org/no
[REMOTE "fork \\"x\\""] URL = https://example.org/fork # mine
[remote "upstream"]
\turl = "https://example.org/a#b" ; theirs
\turl = https://example.org/second
\tfetch = +refs/heads/*:refs/remotes/upstream/*
[branch "main"]
\tremote = upstream
\tdescription = one \\
two
"""
    (tmp_path / "config").write_text(text, encoding="utf-8")
    told = git(tmp_path, "config", "--file", "config", "--list", "--null").split("\0")
    ours = [
        (".".join(filter(None, (section, name, key))), value) for section, name, key, value in settings(text) if section
    ]
    assert ours == [(line.partition("\n")[0], line.partition("\n")[2]) for line in told if line]
    assert remote_of(text) == "https://example.org/a#b"
    assert remote_of(text.replace("upstream", "other")) == "https://example.org/fork"
    assert remote_of(text.replace("upstream", "origin")) == "https://example.org/a#b"
    assert remote_of("") is None


@pytest.mark.promise("SYS-7")
def test_an_abbreviated_address_is_what_the_settings_say(tmp_path: pathlib.Path) -> None:
    home = tmp_path / "ana"
    local = repository(home / "shop", "gh:ana/shop")
    assert project_identity(str(local), str(home)).value == "gh/ana/shop"
    (home / ".gitconfig").write_text('[url "https://github.com/"]\n\tinsteadOf = gh:\n', encoding="utf-8")
    assert project_identity(str(local), str(home)).value == "github.com/ana/shop"
    git(local, "config", "url.https://example.org/x/.insteadOf", "gh:")
    assert project_identity(str(local), str(home)).value == "example.org/x/ana/shop"


PASSWORD = "pa" + "ss" + "word"


@pytest.mark.promise("SYS-7")
@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:ana/shop.git",
        "git@github.com:/ana/shop.git",
        "github.com:ana/shop",
        "org-1234@github.com:ana/shop.git",
        "ssh://git@github.com/ana/shop.git",
        "ssh://git@github.com:22/ana/shop",
        "ssh://git@ssh.github.com:443/ana/shop.git",
        "git+ssh://git@github.com/ana/shop.git",
        "https://github.com/ana/shop",
        "https://github.com/ana/shop.git/",
        "https://github.com//ana//shop.git",
        "https://GitHub.com./Ana/Shop.git",
        "https://www.github.com/ana/shop",
        f"https://ana:{PASSWORD}@github.com/ana/shop.git",
        f"https://ana:{PASSWORD}/@github.com/ana/shop.git",
        "https://github.com:443/ana/shop.git?ref=main#readme",
        "git://github.com/ana/shop.git",
        "  https://github.com/ana/shop  ",
    ],
)
def test_every_way_to_write_an_address_is_the_same_project(url: str) -> None:
    assert normalise_remote(url) == "github.com/ana/shop"


@pytest.mark.promise("SYS-7")
@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://git.example.org/Ana/Shop.git", "git.example.org/Ana/Shop"),
        ("https://git.example.org:8443/ana/shop", "git.example.org/ana/shop"),
        ("ssh://git@[2001:DB8::1]:22/ana/shop", "[2001:db8::1]/ana/shop"),
        ("git@[2001:db8::1]:ana/shop", "[2001:db8::1]/ana/shop"),
        ("https://gitlab.com/Group/Sub/Shop", "gitlab.com/group/sub/shop"),
        ("https://example.org/@scope/shop", "example.org/@scope/shop"),
        ("https://example.org/名/店.git", "example.org/名/店"),
    ],
)
def test_hosts_groups_and_cases_that_differ_stay_apart(url: str, name: str) -> None:
    assert normalise_remote(url) == name


@pytest.mark.promise("SYS-7")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/shop.git",
        "../shop",
        "./a:b",
        "C:\\git\\shop",
        "C:/git/shop",
        "file:///srv/git/shop",
        "https://",
        "https://github.com",
        "ext::sh -c x",
        "https://example.org/a\nb",
        "https://example.org/" + "a" * 3000,
    ],
)
def test_a_path_or_nonsense_is_no_hosted_project(url: str) -> None:
    assert normalise_remote(url) is None


@pytest.mark.promise("SYS-7")
@given(st.text(max_size=60), st.sampled_from(["", "https://", "git@", "ssh://a:b@", "file://"]))
def test_normalising_an_address_raises_nothing_and_twice_is_once(text: str, scheme: str) -> None:
    once = normalise_remote(scheme + text)
    if once is not None:
        again = normalise_remote("https://" + once)
        assert again is None or normalise_remote("https://" + again) == again
