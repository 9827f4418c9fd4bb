import pytest

from gleak.cli import main


@pytest.fixture
def gleak(capsys, monkeypatch, tmp_path):
    """Run the command in an empty directory: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(word) for word in arguments])
        output = capsys.readouterr()
        return stop.value.code, output.out, output.err

    return run
