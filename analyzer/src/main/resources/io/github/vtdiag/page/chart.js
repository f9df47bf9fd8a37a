/** An element. Text in it is text: names come from strangers. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

/** As the report writes it: two or three digits and a unit. */
function duration(nanos) {
  const digits = (value, whole) =>
    whole ? Math.round(value).toLocaleString('en-US') : value.toFixed(1).replace(/\.0$/, '');
  if (nanos >= 1e9) {
    return digits(nanos / 1e9, nanos >= 1e11) + ' s';
  }
  if (nanos >= 1e6 || nanos === 0) {
    return digits(nanos / 1e6, nanos >= 1e7) + ' ms';
  }
  return nanos >= 1e3 ? Math.round(nanos / 1e3) + ' us' : Math.round(nanos) + ' ns';
}

function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) {
    return 'under 0.1%';
  }
  return value.toFixed(value >= 10 || value === 0 ? 0 : 1) + '%';
}

function count(number, noun) {
  return number.toLocaleString('en-US') + ' ' + noun + (number === 1 ? '' : 's');
}

/** There are so many colours that one can tell from each other; the page's Java counts alike. */
const COLOURS = 6;

function siteName(entry) {
  return entry === 0 || entry > COLOURS ? 'site-rest' : 'site-' + entry;
}

/** The colours of the theme, as a canvas understands them. */
const theme = {
  colours: new Map(),
  listeners: [],
  probe: document.body.appendChild(element('span', {hidden: ''})),
  colour(name) {
    if (!this.colours.has(name)) {
      this.probe.style.color = 'var(--' + name + ')';
      this.colours.set(name, getComputedStyle(this.probe).color);
    }
    return this.colours.get(name);
  },
  /** The same as red, green and blue. */
  parts(name) {
    return this.colour(name).match(/[\d.]+/g).slice(0, 3).map(Number);
  },
  /** Draws all of it anew, at the next frame or at once. */
  changed(atOnce = false) {
    this.colours.clear();
    this.listeners.forEach(listener => listener(atOnce));
  },
};

/** One box for all charts, beside the pointer. */
const tip = {
  box: document.body.appendChild(element('div', {class: 'tip', role: 'tooltip', hidden: ''})),
  show(x, y, title, lines) {
    this.box.replaceChildren(
      element('b', {dir: 'ltr'}, title), ...lines.map(line => element('span', {}, line)));
    this.box.hidden = false;
    const {width, height} = this.box.getBoundingClientRect();
    this.box.style.left = Math.max(8, Math.min(x + 14, innerWidth - width - 8)) + 'px';
    this.box.style.top = (y + 18 + height > innerHeight ? Math.max(8, y - height - 10) : y + 18) + 'px';
  },
  hide() {
    this.box.hidden = true;
  },
};

/** A canvas that is drawn again when its size or the theme changes, once a frame at most. */
class Surface {
  constructor(label, roleDescription, draw) {
    this.draw = draw;
    this.canvas = element('canvas', {
      tabindex: '0', role: 'application', 'aria-label': label, 'aria-roledescription': roleDescription,
    });
    this.box = element('div', {class: 'surface'}, this.canvas);
    this.height = 100;
    this.pending = false;
    this.frames = [];
    new ResizeObserver(() => this.redraw()).observe(this.box);
    theme.listeners.push(atOnce => (atOnce ? this.paint() : this.redraw()));
    this.canvas.addEventListener('pointerleave', () => tip.hide());
  }

  redraw() {
    if (!this.pending) {
      this.pending = true;
      requestAnimationFrame(() => {
        this.pending = false;
        this.paint();
      });
    }
  }

  paint() {
    const began = performance.now();
    const width = Math.max(1, this.box.clientWidth);
    const ratio = devicePixelRatio || 1;
    this.width = width;
    this.canvas.style.height = this.height + 'px';
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(this.height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(this.height * ratio);
    }
    const pen = this.canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, this.height);
    this.draw(pen, width, this.height);
    this.canvas.dataset.frame = (performance.now() - began).toFixed(2);
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

/** Text that fits, from its end: a method's name says more than its package. */
function fitted(pen, text, width) {
  const most = Math.max(0, Math.floor(width / 4));
  let shown = text.length > most ? text.slice(0, most) : text;
  if (pen.measureText(shown).width <= width) {
    return shown.length === text.length ? text : shown.slice(0, -1) + '\u2026';
  }
  let low = 0;
  let high = shown.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(shown.slice(0, middle) + '\u2026').width <= width) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low === 0 ? '' : shown.slice(0, low) + '\u2026';
}

const FONT = '12px ' + getComputedStyle(document.documentElement).getPropertyValue('--sans');
const MONO = getComputedStyle(document.documentElement).getPropertyValue('--mono');
