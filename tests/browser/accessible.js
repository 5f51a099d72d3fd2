// What can be checked of a page without a person: what is wrong, by kind.
() => {
  const all = {
    "without a name": (() => {
    const seen = (node) => node.getClientRects().length && !node.closest("[hidden]");
    const name = (node) => node.getAttribute("aria-label") || [...(node.labels || [])].map((one) => one.textContent).join(" ")
        || node.textContent || node.title;
    return [...document.querySelectorAll("button, input, select, [role=button], [role=tab], [role=img], a[href], dialog, section")]
        .filter((node) => seen(node) && !name(node).trim()).map((node) => node.outerHTML.slice(0, 120));
})(),
    "the same id": (() => {
    const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
    return ids.filter((id, at) => ids.indexOf(id) !== at);
})(),
    "a reference to nothing": (() => ["aria-labelledby", "aria-controls", "for"].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].filter((node) => !document.getElementById(node.getAttribute(name))).map((node) => node.outerHTML.slice(0, 120))))(),
    "too small": (() => [...document.querySelectorAll("button, input:not([type=range]), select")]
    .filter((node) => node.getClientRects().length)
    .filter((node) => { const box = node.getBoundingClientRect(); return box.width < 24 || box.height < 24; })
    .map((node) => node.outerHTML.slice(0, 120)))(),
    "too pale": (() => {
    const rgb = (text) => (text.match(/[\d.]+/g) || []).map(Number);
    const over = (top, below) => { const a = top[3] ?? 1; return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)); };
    const light = (colour) => { const [r, g, b] = colour.map((one) => { const part = one / 255; return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ground = (node) => {
        const layers = [];
        for (let one = node; one; one = one.parentElement) {
            const colour = rgb(getComputedStyle(one).backgroundColor);
            if (colour.length && (colour[3] ?? 1) > 0) { layers.push(colour); if ((colour[3] ?? 1) === 1) break; }
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
    };
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !node.getClientRects().length || node.closest("svg, script, noscript, .unseen, .skip, :disabled, option, [aria-busy]")) continue;
        const style = getComputedStyle(node), below = ground(node);
        const [one, other] = [light(over(rgb(style.color), below)), light(below)].sort((a, b) => b - a);
        const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
        if ((one + 0.05) / (other + 0.05) < (large ? 3 : 4.5)) found.push(`${texts.currentNode.data.trim().slice(0, 40)}: ${((one + 0.05) / (other + 0.05)).toFixed(2)}`);
    }
    return found;
})(),
    "focus unseen": (() => [...document.querySelectorAll("button, input, select")]
    .filter((node) => node.getClientRects().length && !node.disabled)
    .filter((node) => { node.focus({ focusVisible: true, preventScroll: true }); const style = getComputedStyle(node); return document.activeElement === node && (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2); })
    .map((node) => node.outerHTML.slice(0, 120)))()
  };
  return Object.fromEntries(Object.entries(all).filter(([, wrong]) => wrong.length));
}
