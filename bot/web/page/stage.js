// A picture that is moved and scaled: by wheel, drag, pinch and keys.

const NEAREST = 6;
const STILL = 220;
const SLACK = 5;

export class Stage {
  // `across`: a picture is first as wide as the box, however high it is; else it is seen whole.
  constructor(box, { across = false } = {}) {
    this.box = box;
    this.across = across;
    this.plate = document.createElement("div");
    this.plate.className = "plate";
    box.append(this.plate);
    this.x = 0;
    this.y = 0;
    this.k = 1;
    this.size = { width: 1, height: 1 };
    this.fingers = new Map();
    this.dragged = false;
    this._listen();
    new ResizeObserver(() => this._resized()).observe(box);
  }

  get svg() {
    return this.plate.firstElementChild;
  }

  /** Later pictures keep the place and the scale of the first; the parts of a picture lie on each other.
   * @param {SVGSVGElement[]} parts
   */
  show(parts) {
    const first = !this.svg;
    const box = parts[0].viewBox.baseVal;
    const same = this.size.width === box.width && this.size.height === box.height;
    this.size = { width: box.width, height: box.height };
    if (parts[0] !== this.svg) this.plate.replaceChildren(...parts);
    if (first) {
      if (this.across) this.widen();
      else this.fit();
    } else if (!same && this.whole) this.fit();
  }

  get least() {
    return Math.min(this.box.clientWidth / this.size.width, this.box.clientHeight / this.size.height) || 0.1;
  }

  // The whole picture.
  fit() {
    this._centre(this.least);
    this.whole = true;
  }

  // As wide as the box.
  widen() {
    this._centre(Math.max(this.least, this.box.clientWidth / this.size.width));
    this.wide = true;
  }

  _centre(k) {
    this.k = k;
    this.x = (this.box.clientWidth - this.size.width * k) / 2;
    this.y = (this.box.clientHeight - this.size.height * k) / 2;
    this.whole = this.wide = false;
    this._noted();
    this._draw();
  }

  // How large the box was, so that its middle stays in the middle.
  _noted() {
    this.room = [this.box.clientWidth, this.box.clientHeight];
  }

  // These places of the picture, with some of what lies around them.
  lookAt(points, scale) {
    if (!points.length) return;
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const wide = Math.max(...xs) - Math.min(...xs) + 300;
    const high = Math.max(...ys) - Math.min(...ys) + 300;
    const all = Math.min(this.box.clientWidth / wide, this.box.clientHeight / high);
    this.k = Math.max(this.least, Math.min(scale, all));
    this.x = this.box.clientWidth / 2 - (this.k * (Math.max(...xs) + Math.min(...xs))) / 2;
    this.y = this.box.clientHeight / 2 - (this.k * (Math.max(...ys) + Math.min(...ys))) / 2;
    this._moved();
  }

  // A place comes into sight, by the shortest way.
  reveal([x, y], edge = 60) {
    const left = x * this.k + this.x;
    const top = y * this.k + this.y;
    const { clientWidth: wide, clientHeight: high } = this.box;
    const in_ = left > edge && left < wide - edge && top > edge && top < high - edge;
    if (in_) return;
    this.x += Math.max(edge - left, 0) || Math.min(wide - edge - left, 0);
    this.y += Math.max(edge - top, 0) || Math.min(high - edge - top, 0);
    this._moved();
  }

  zoom(factor, at = [this.box.clientWidth / 2, this.box.clientHeight / 2]) {
    const k = Math.max(this.least * 0.8, Math.min(NEAREST, this.k * factor));
    this.x = at[0] - ((at[0] - this.x) * k) / this.k;
    this.y = at[1] - ((at[1] - this.y) * k) / this.k;
    this.k = k;
    this._moved();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this._moved();
  }

  _moved() {
    this.whole = this.wide = false;
    this._noted();
    const { clientWidth: wide, clientHeight: high } = this.box;
    const edge = 80;
    this.x = Math.max(edge - this.size.width * this.k, Math.min(wide - edge, this.x));
    this.y = Math.max(edge - this.size.height * this.k, Math.min(high - edge, this.y));
    this._draw();
  }

  // While it moves the browser pushes what it has painted; then it paints anew, sharp.
  _draw() {
    this.box.classList.add("moving");
    clearTimeout(this.rests);
    this.rests = setTimeout(() => this.box.classList.remove("moving"), STILL);
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.plate.style.transform = `translate3d(${this.x}px,${this.y}px,0) scale(${this.k})`;
    });
  }

  _resized() {
    const { clientWidth: wide, clientHeight: high } = this.box;
    if (!this.svg || !wide || !high) return;
    if (this.whole || !this.room?.[0]) {
      if (this.across && !this.whole) this.widen();
      else this.fit();
      return;
    }
    if (this.wide && wide !== this.room[0]) {
      this.widen();
      return;
    }
    const still = this.wide;
    this.x += (wide - this.room[0]) / 2;
    this.y += (high - this.room[1]) / 2;
    this._moved();
    this.wide = still;
  }

  _listen() {
    const at = (event) => {
      const edge = this.box.getBoundingClientRect();
      return [event.clientX - edge.left, event.clientY - edge.top];
    };
    this.box.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 16 : 1;
        if (event.shiftKey) this.pan(-(event.deltaY || event.deltaX) * lines, 0);
        else this.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), at(event));
      },
      { passive: false },
    );
    this.box.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      if (!this.fingers.size) this.dragged = false;
      this.fingers.set(event.pointerId, { from: at(event), at: at(event) });
    });
    addEventListener("pointermove", (event) => this._finger(event, at(event)));
    const lift = (event) => {
      this.fingers.delete(event.pointerId);
      this.box.classList.remove("dragging");
    };
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, lift);
    this.box.addEventListener(
      "click",
      (event) => {
        if (this.dragged) {
          event.stopPropagation();
          event.preventDefault();
          this.dragged = false;
        }
      },
      true,
    );
  }

  _finger(event, now) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    if (event.pointerType === "mouse" && !event.buttons) {
      this.fingers.delete(event.pointerId);
      return;
    }
    const before = finger.at;
    if (Math.hypot(now[0] - finger.from[0], now[1] - finger.from[1]) > SLACK) this.dragged = true;
    if (!this.dragged) return;
    this.box.classList.add("dragging");
    const other = [...this.fingers.entries()].find(([id]) => id !== event.pointerId)?.[1].at;
    finger.at = now;
    if (!other) {
      this.pan(now[0] - before[0], now[1] - before[1]);
      return;
    }
    const spread = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]) || 1;
    const middle = (one) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    this.x += middle(now)[0] - middle(before)[0];
    this.y += middle(now)[1] - middle(before)[1];
    this.zoom(spread(now) / spread(before), middle(now));
  }
}
