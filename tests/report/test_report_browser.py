"""Reports in a real browser: what people see, at two widths and in both themes."""

from pathlib import Path

import pytest
from tests.report import comparisons
from tests.report.estimates import contested, counted, mapped, silent, traced

from gleak.report.compare_html import compare_html
from gleak.report.html import to_html

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip

if not CHROMIUM.exists():
    pytest.skip(f"browser tests were not run: there is no {CHROMIUM}", allow_module_level=True)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="browser tests were not run: there is no Playwright"
)

PAGES = {
    "mapped": ([mapped], {"bracket", "secrets", "columns", "strategy"}),
    "contested": ([contested], {"bracket", "leaderboard", "curve", "secrets", "columns",
                                "strategy"}),
    "traced": ([traced], {"bracket", "secrets", "columns"}),
    "several": ([counted, silent], {"bracket", "secrets", "columns", "strategy"}),
    "compared": ([comparisons.worse], {"change"}),
    "compared twice": ([comparisons.removed, comparisons.unchanged], {"change"}),
}  # fmt: skip
WIDTHS = 360, 1200
THEMES = "light", "dark"

CONTRASTS = """() => {
  const probe = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = colour => {
    probe.clearRect(0, 0, 1, 1); probe.fillStyle = colour; probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const luminance = colour => {
    const [r, g, b] = colour.slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    if (!text || element.closest("script, style") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const colour = element.closest("svg") ? style.fill : style.color;
    const [one, other] = [rgb(colour), behind(element)].map(luminance);
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found.push([ratio, text, parseFloat(style.fontSize) * element.getBoundingClientRect().height]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    for name, (found, _) in PAGES.items():
        write = compare_html if name.startswith("compared") else to_html
        text = write([one() for one in found], command=f"gleak estimate {'long-' * 40}.csv")
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def opened(browser, files):
    """Opens a report, and fails the test where the page complained or asked the network."""
    complaints, pages = [], []

    def open_(name, width=1200, theme="light", **options):
        page = browser.new_page(
            viewport={"width": width, "height": 800}, color_scheme=theme, **options
        )
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:")
                or complaints.append(request.url))  # fmt: skip
        page.goto((files / f"{name}.html").as_uri())
        pages.append(page)
        return page

    yield open_
    for page in pages:
        page.close()
    assert complaints == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_everything_is_there_and_nothing_scrolls_sideways(opened, name, width):
    page = opened(name, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.eval_on_selector_all(
        ".scroll", "all => all.map(e => e.scrollWidth - e.clientWidth)"
    )
    assert max(wide) <= 0
    assert page.locator("h1").is_visible()
    assert page.locator("[data-verdict]").count() == len(PAGES[name][0])
    for figure in PAGES[name][1]:
        shown = page.locator(f"[data-figure={figure}] svg >> visible=true")
        assert shown.count() in (1, len(PAGES[name][0]))
        box = shown.first.bounding_box()
        assert box["width"] > 0.85 * min(width, 680)
        assert box["height"] > 40


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_text_stands_out_and_is_large_enough(opened, name, width, theme):
    page = opened(name, width, theme)
    page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
    found = page.evaluate(CONTRASTS)
    assert len(found) > (40 if name.startswith("compared") else 60)
    assert [(round(ratio, 2), text) for ratio, text, _ in found if ratio < 4.5] == []
    heights = page.eval_on_selector_all(
        "svg text", "all => all.filter(e => e.checkVisibility())"
        ".map(e => e.getBoundingClientRect()).map(b => Math.min(b.width, b.height))"
    )  # fmt: skip
    assert min(height for height in heights if height) >= 6


def test_a_dark_page_is_dark_and_its_figures_too(opened):
    colours = {}
    for theme in THEMES:
        page = opened("mapped", theme=theme)
        colours[theme] = [
            page.evaluate("getComputedStyle(document.body).backgroundColor"),
            page.eval_on_selector("svg.wide [style*=region1]", "e => getComputedStyle(e).fill"),
            page.eval_on_selector("svg.wide text", "e => getComputedStyle(e).fill"),
        ]
    assert all(a != b for a, b in zip(*colours.values(), strict=True))


def test_no_text_leaves_or_covers_another_in_a_figure(opened):
    for name in PAGES:
        for width in WIDTHS:
            page = opened(name, width)
            bad = page.evaluate(OVERLAPS)
            assert bad == [], (name, width)


OVERLAPS = """() => [...document.querySelectorAll("svg")].filter(s => s.checkVisibility())
  .flatMap(svg => {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("text")]
      .map(t => [t.textContent, t.getBoundingClientRect()]);
    const outside = boxes.filter(([_, b]) => b.left < frame.left - 2 || b.right > frame.right + 2);
    const over = boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
      .filter(([_, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5)
      .map(([other]) => [one, other]));
    return [...outside.map(([text]) => text), ...over];
  })"""


def test_it_can_be_read_without_scripts_and_walked_by_keyboard(browser, files):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((files / "mapped.html").as_uri())
    assert page.locator("h1").inner_text() == "It leaks"
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details[open] table").is_visible()
    context.close()


def test_on_paper_it_is_light_and_shows_its_tables(opened):
    page = opened("mapped", theme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(255, 255, 255)"
    assert page.pdf(format="A4").startswith(b"%PDF")
    hidden = page.eval_on_selector_all(
        "details table", "all => all.filter(e => e.getBoundingClientRect().height < 20).length"
    )
    assert hidden == 0
