"""Pages link to files of the repository that are not on the site; there they are named instead of linked."""
import os
import re

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
FENCE = re.compile(r"(^ *```.*?^ *```[ ]*$)", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown, page, config, files):
    here = os.path.dirname(page.file.src_uri)

    def outside(match):
        target = match[3]
        if "://" in target or match[1]:
            return match[0]
        path = os.path.normpath(os.path.join(here, target)).replace(os.sep, "/")
        if files.get_file_from_path(path) is not None:
            return match[0]
        file = os.path.normpath(os.path.join("docs", path)).replace(os.sep, "/")
        top = os.path.dirname(config.config_file_path)
        if not os.path.exists(os.path.join(top, file)):
            return match[0]  # The build fails on it.
        return match[2] if match[2].strip("`") == file else f"{match[2]} (`{file}`)"

    parts = FENCE.split(markdown)
    return "".join(part if i % 2 else LINK.sub(outside, part) for i, part in enumerate(parts))
