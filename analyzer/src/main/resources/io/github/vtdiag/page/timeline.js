/** Rows of pixels that are computed one by one, which is quicker than to draw a box for each. */
class Raster {
  constructor(width, rows) {
    this.width = width;
    this.rows = rows;
    this.done = [];
    this.cover = new Float32Array(width);
    this.most = new Float32Array(width);
    this.entries = new Uint16Array(width);
    this.colours = new Map();
  }

  begin() {
    this.cover.fill(0);
    this.most.fill(0);
    return this;
  }

  colour(entry) {
    const name = siteName(entry);
    if (!this.colours.has(name)) {
      this.colours.set(name, theme.parts(name));
    }
    return this.colours.get(name);
  }

  end(row) {
    this.image ??= new ImageData(this.width, this.rows);
    this.done.push(row);
    const {data} = this.image;
    for (let pixel = 0, at = row * this.width * 4; pixel < this.width; pixel++, at += 4) {
      if (this.cover[pixel] > 0) {
        const [red, green, blue] = this.colour(this.entries[pixel]);
        data[at] = red;
        data[at + 1] = green;
        data[at + 2] = blue;
        // One short pin has to be seen, too.
        data[at + 3] = 255 * Math.max(0.25, Math.min(1, this.cover[pixel]));
      }
    }
  }

  draw(pen, y, height) {
    if (this.done.length === 0) {
      return;
    }
    const canvas = new OffscreenCanvas(this.width, this.rows);
    canvas.getContext('2d').putImageData(this.image, 0, 0);
    pen.imageSmoothingEnabled = false;
    for (const row of this.done) {
      pen.drawImage(canvas, 0, row, this.width, 1, 0, y(row), this.width, height);
    }
  }
}

/** Pins by time. What is too small for a pixel is added up in it, however many there are. */
class Timeline {
  static AXIS = 24;
  static QUEUE = 58;

  /** One chart; of several recordings the reader chooses. */
  static async into(host, data) {
    const box = element('div');
    const show = async number => {
      const about = data.timelines[number];
      const pins = new Pins(await unpacked('pins-' + number), about.pins, about.lanes);
      new Timeline(box, about, pins, data.entries);
    };
    if (data.timelines.length > 1) {
      const choice = element('select', {'aria-label': 'Recording', onchange: () => show(Number(choice.value))},
        ...data.timelines.map((each, i) => element('option', {value: i}, each.source)));
      host.replaceChildren(choice, box);
    } else {
      host.replaceChildren(box);
    }
    await show(0);
  }

  constructor(host, about, pins, entries) {
    this.about = about;
    this.pins = pins;
    this.entries = entries;
    this.names = new Map(about.threads.map((id, i) => [id, about.names[i]]));
    this.lanes = Math.max(about.lanes, about.carriers, 1);
    this.from = 0;
    this.to = about.micros;
    this.only = -1;
    this.selected = -1;
    this.dragged = null;
    this.row = Math.max(5, Math.min(26, Math.floor(320 / this.lanes)));
    this.queue = about.queueAt.length > 0 ? Timeline.QUEUE : 0;
    this.top = this.queue + Timeline.AXIS;
    this.surface = new Surface('Pins by time', 'timeline', (pen, width) => this.draw(pen, width));
    this.surface.height = this.top + this.lanes * this.row + 4;
    this.controls(host);
    this.listen();
    this.show(0, about.micros);
  }

  controls(host) {
    const {about} = this;
    const button = (text, label, action) =>
      element('button', {type: 'button', 'aria-label': label, title: label, onclick: action}, text);
    this.where = element('output', {class: 'result'});
    this.all = button('Show all', 'Show all of the time', () => this.show(0, this.about.micros));
    this.said = element('p', {class: 'unseen', role: 'status'});
    const legend = element('ul', {class: 'legend'});
    const used = new Set(this.pins.entry);
    for (const entry of [...used].sort((a, b) => (a || Infinity) - (b || Infinity)).slice(0, 12)) {
      const filter = element('button', {type: 'button', 'aria-pressed': 'false', onclick: () => {
        this.only = this.only === entry ? -1 : entry;
        legend.querySelectorAll('button').forEach(
          each => each.setAttribute('aria-pressed', String(each === filter && this.only === entry)));
        this.surface.redraw();
      }}, element('span', {class: 'number ' + siteName(entry)}, entry === 0 ? '\u2013' : String(entry)),
      element('span', {dir: 'ltr'}, entry === 0 ? 'short and harmless' : this.short(entry)));
      legend.append(element('li', {}, filter));
    }
    host.replaceChildren(
      element('div', {class: 'tools'},
        button('\u2212', 'Zoom out', () => this.scale(2)), button('+', 'Zoom in', () => this.scale(0.5)),
        button('\u2190', 'Earlier', () => this.move(-0.3)), button('\u2192', 'Later', () => this.move(0.3)),
        this.all, this.where),
      legend, this.surface.box, this.said,
      element('p', {class: 'keys'}, 'Drag to zoom in, or hold ', ...keys('Ctrl'), ' and turn the wheel. Keys: ',
        ...keys('\u2190', '\u2192'), ' move, ', ...keys('+', '\u2212'), ' zoom, ',
        ...keys('n', 'p'), ' go from pin to pin, ', ...keys('Esc'), ' shows all. A finding above shows its pins alone.'
        + (about.carriers > 0 && about.lanes > about.carriers
          ? ' Rows that are not shaded are carriers beyond the ' + about.carriers + ' that the scheduler aims at.' : '')));
  }

  short(entry) {
    const title = this.entries[entry - 1];
    const method = title.lastIndexOf('.');
    return title.includes(' ') ? title : title.slice(title.lastIndexOf('.', method - 1) + 1);
  }

  show(from, to) {
    const all = this.about.micros;
    const width = Math.max(Math.min(20, all), Math.min(all, to - from));
    this.from = Math.max(0, Math.min(all - width, from));
    this.to = this.from + width;
    this.all.disabled = width >= all;
    this.where.textContent = duration(this.from * 1e3) + ' to ' + duration(this.to * 1e3) + ' of ' + duration(all * 1e3);
    this.surface.canvas.dataset.from = this.from;
    this.surface.canvas.dataset.to = this.to;
    this.surface.redraw();
  }

  scale(factor, around = (this.from + this.to) / 2) {
    this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }

  move(part) {
    const by = (this.to - this.from) * part;
    const width = this.to - this.from;
    const from = Math.max(0, Math.min(this.about.micros - width, this.from + by));
    this.show(from, from + width);
  }

  x(time, width) {
    return (time - this.from) / (this.to - this.from) * width;
  }

  draw(pen, width) {
    pen.direction = 'ltr';
    pen.font = FONT;
    pen.textBaseline = 'middle';
    this.axis(pen, width);
    if (this.queue > 0) {
      this.waiting(pen, width);
    }
    let shown = 0;
    const raster = new Raster(Math.ceil(width), this.about.lanes);
    for (let lane = 0; lane < this.lanes; lane++) {
      const y = this.top + lane * this.row;
      pen.fillStyle = theme.colour(this.about.carriers > 0 && lane >= this.about.carriers ? 'card' : 'jdk');
      pen.fillRect(0, y, width, this.row - 1);
      if (lane < this.about.lanes) {
        shown += this.lane(pen, width, lane, y, raster);
      }
    }
    raster.draw(pen, lane => this.top + lane * this.row, this.row - 1);
    this.surface.canvas.dataset.shown = shown;
    if (this.dragged !== null) {
      const [a, b] = this.dragged;
      pen.globalAlpha = 0.18;
      pen.fillStyle = theme.colour('link');
      pen.fillRect(Math.min(a, b), 0, Math.abs(a - b), this.surface.height);
      pen.globalAlpha = 1;
    }
    if (this.selected >= 0) {
      const left = this.x(this.pins.start[this.selected], width);
      const right = this.x(this.pins.end(this.selected), width);
      pen.strokeStyle = theme.colour('ink');
      pen.lineWidth = 2;
      pen.strokeRect(left - 1, this.top + this.pins.lane[this.selected] * this.row - 1, Math.max(3, right - left + 2), this.row + 1);
    }
  }

  axis(pen, width) {
    const span = this.to - this.from;
    const rough = span / Math.max(2, width / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough);
    const y = this.top - Timeline.AXIS / 2;
    pen.textAlign = 'left';
    for (let at = Math.ceil(this.from / step) * step; at <= this.to; at += step) {
      const x = Math.round(this.x(at, width)) + 0.5;
      pen.strokeStyle = theme.colour('line');
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(x, this.queue);
      pen.lineTo(x, this.surface.height);
      pen.stroke();
      pen.fillStyle = theme.colour('soft');
      const label = this.time(at, step);
      if (x + pen.measureText(label).width + 6 < width) {
        pen.fillText(label, x + 4, y);
      }
    }
  }

  /** With as many digits as tell the ticks apart. */
  time(micros, step) {
    const [unit, name] = step >= 1e5 ? [1e6, ' s'] : step >= 100 ? [1e3, ' ms'] : [1, ' us'];
    const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
    return (micros / unit).toFixed(Math.min(3, digits)) + name;
  }

  /** How many threads waited for a carrier, from look to look. */
  waiting(pen, width) {
    const {queueAt, queued} = this.about;
    let most = 0;
    for (const threads of queued) {
      most = Math.max(most, threads);
    }
    const height = Timeline.QUEUE - 6;
    const y = threads => 4 + height * (1 - threads / Math.max(1, most));
    pen.beginPath();
    let begun = false;
    for (let i = 0; i < queueAt.length; i++) {
      const x = this.x(queueAt[i], width);
      if (!begun) {
        pen.moveTo(x, y(0));
        begun = true;
      }
      pen.lineTo(x, y(queued[i]));
      if (i === queueAt.length - 1) {
        pen.lineTo(x, y(0));
      }
    }
    pen.closePath();
    pen.globalAlpha = 0.3;
    pen.fillStyle = theme.colour('link');
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = theme.colour('link');
    pen.lineWidth = 1.25;
    pen.stroke();
    pen.fillStyle = theme.colour('soft');
    pen.textAlign = 'left';
    const label = 'waiting for a carrier: ' + (most === 0 ? 'nobody seen' : 'at most ' + most.toLocaleString('en-US'));
    const wide = pen.measureText(label).width;
    pen.globalAlpha = 0.85;
    pen.fillStyle = theme.colour('card');
    pen.fillRect(2, 3, wide + 8, 17);
    pen.globalAlpha = 1;
    pen.fillStyle = theme.colour('soft');
    pen.fillText(label, 6, 12);
  }

  /** One row. Returns how many pins are in what is shown of it. */
  lane(pen, width, lane, y, raster) {
    const {pins} = this;
    const first = pins.firstAfter(lane, this.from);
    const end = pins.laneBegin[lane + 1];
    let last = first;
    // Those that are shown follow each other: find where they end, as for the first.
    let high = end;
    while (last < high) {
      const middle = (last + high) >>> 1;
      if (pins.laneStart[middle] < this.to) {
        last = middle + 1;
      } else {
        high = middle;
      }
    }
    if (last - first > width) {
      this.dense(width, first, last, lane, raster);
    } else {
      this.sparse(pen, width, first, last, y);
    }
    return last - first;
  }

  sparse(pen, width, first, last, y) {
    const {pins} = this;
    for (let place = first; place < last; place++) {
      const row = pins.rows[place];
      const left = Math.max(-2, this.x(pins.start[row], width));
      const right = Math.min(width + 2, this.x(pins.end(row), width));
      const wide = Math.max(1, right - left - (right - left > 4 ? 1 : 0));
      const entry = pins.entry[row];
      pen.globalAlpha = this.only >= 0 && this.only !== entry ? 0.15 : 1;
      pen.fillStyle = theme.colour(siteName(entry));
      pen.fillRect(left, y, wide, this.row - 1);
      if (wide > 16 && this.row >= 14 && entry > 0) {
        pen.fillStyle = theme.colour('on');
        pen.textAlign = 'center';
        pen.fillText(String(entry), Math.max(0, left) + (Math.min(width, right) - Math.max(0, left)) / 2, y + this.row / 2);
      }
    }
    pen.globalAlpha = 1;
  }

  /** More pins than pixels: how much of each is pinned, in the colour of what pins most there. */
  dense(width, first, last, lane, raster) {
    const {laneStart, laneEnd, laneEntry} = this.pins;
    const {cover, most, entries, width: pixels} = raster.begin();
    const {from, to, only} = this;
    const scale = width / (to - from);
    for (let place = first; place < last; place++) {
      const entry = laneEntry[place];
      if (only >= 0 && only !== entry) {
        continue;
      }
      const begin = (Math.max(from, laneStart[place]) - from) * scale;
      const end = (Math.min(to, laneEnd[place]) - from) * scale;
      for (let pixel = begin | 0; pixel < end && pixel < pixels; pixel++) {
        const part = Math.min(end, pixel + 1) - Math.max(begin, pixel);
        cover[pixel] += part;
        if (part > most[pixel]) {
          most[pixel] = part;
          entries[pixel] = entry;
        }
      }
    }
    raster.end(lane);
  }

  listen() {
    const canvas = this.surface.canvas;
    canvas.addEventListener('pointerdown', event => {
      if (event.button === 0) {
        const [x] = this.surface.at(event);
        this.dragged = [x, x];
        canvas.setPointerCapture(event.pointerId);
      }
    });
    canvas.addEventListener('pointermove', event => {
      const [x, y] = this.surface.at(event);
      if (this.dragged !== null && event.buttons > 0) {
        this.dragged[1] = x;
        tip.hide();
        this.surface.redraw();
      } else {
        this.hover(event, x, y);
      }
    });
    canvas.addEventListener('pointerup', () => {
      const dragged = this.dragged;
      this.dragged = null;
      if (dragged !== null && Math.abs(dragged[0] - dragged[1]) > 4) {
        const time = x => this.from + x / this.surface.width * (this.to - this.from);
        this.show(time(Math.min(...dragged)), time(Math.max(...dragged)));
      }
      this.surface.redraw();
    });
    canvas.addEventListener('pointercancel', () => {
      this.dragged = null;
      this.surface.redraw();
    });
    canvas.addEventListener('dblclick', () => this.show(0, this.about.micros));
    canvas.addEventListener('wheel', event => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const [x] = this.surface.at(event);
        this.scale(event.deltaY > 0 ? 1.25 : 0.8, this.from + x / this.surface.width * (this.to - this.from));
      }
    }, {passive: false});
    canvas.addEventListener('keydown', event => this.key(event));
    canvas.addEventListener('blur', () => {
      this.selected = -1;
      tip.hide();
      this.surface.redraw();
    });
  }

  lines(row) {
    const {pins} = this;
    const entry = pins.entry[row];
    const name = this.names.get(pins.thread[row]);
    return [
      duration(pins.length[row] * 1e3) + ', ' + duration(pins.start[row] * 1e3) + ' after the start',
      'virtual thread #' + pins.thread[row] + (name === undefined ? '' : ' "' + name + '"'),
      ...(this.about.rows.length > pins.lane[row] ? ['on ' + this.about.rows[pins.lane[row]]] : []),
      entry === 0 ? 'short and harmless' : 'finding ' + entry,
    ];
  }

  title(row) {
    const entry = this.pins.entry[row];
    return entry === 0 ? 'Pin' : this.entries[entry - 1];
  }

  hover(event, x, y) {
    const lane = Math.floor((y - this.top) / this.row);
    if (y < this.queue) {
      this.hoverQueue(event, x);
      return;
    }
    if (lane < 0 || lane >= this.about.lanes) {
      tip.hide();
      return;
    }
    const {pins} = this;
    const perPixel = (this.to - this.from) / this.surface.width;
    const begin = this.from + (x - 1) * perPixel;
    const end = begin + 3 * perPixel;
    let here = 0;
    let pinned = 0;
    let longest = -1;
    for (let place = pins.firstAfter(lane, begin); place < pins.laneBegin[lane + 1]; place++) {
      const row = pins.rows[place];
      if (pins.start[row] >= end) {
        break;
      }
      here++;
      pinned += Math.min(end, pins.end(row)) - Math.max(begin, pins.start[row]);
      if (longest < 0 || pins.length[row] > pins.length[longest]) {
        longest = row;
      }
    }
    if (here === 0) {
      tip.hide();
    } else if (here === 1) {
      tip.show(event.clientX, event.clientY, this.title(longest), this.lines(longest));
    } else {
      tip.show(event.clientX, event.clientY, count(here, 'pin') + ' here', [
        duration(pinned * 1e3) + ' of ' + duration((end - begin) * 1e3) + ' pinned; zoom in to tell them apart',
        'The longest: ' + this.title(longest), ...this.lines(longest)]);
    }
  }

  hoverQueue(event, x) {
    const {queueAt, queued} = this.about;
    const time = this.from + x / this.surface.width * (this.to - this.from);
    let nearest = 0;
    for (let i = 1; i < queueAt.length; i++) {
      if (Math.abs(queueAt[i] - time) < Math.abs(queueAt[nearest] - time)) {
        nearest = i;
      }
    }
    tip.show(event.clientX, event.clientY, count(queued[nearest], 'virtual thread'),
      ['waited for a carrier ' + duration(queueAt[nearest] * 1e3) + ' after the start']);
  }

  key(event) {
    const does = {
      ArrowLeft: () => this.move(-0.2),
      ArrowRight: () => this.move(0.2),
      '+': () => this.scale(0.5),
      '=': () => this.scale(0.5),
      '-': () => this.scale(2),
      Escape: () => this.show(0, this.about.micros),
      Home: () => this.show(0, this.about.micros),
      n: () => this.step(1),
      p: () => this.step(-1),
    };
    if (event.key in does && !event.ctrlKey && !event.metaKey && !event.altKey) {
      does[event.key]();
      event.preventDefault();
    }
  }

  /** To the next pin, by its start; what is not shown moves into sight. */
  step(by) {
    const {pins} = this;
    let row = this.selected;
    if (row < 0) {
      row = by > 0 ? -1 : pins.size;
    }
    do {
      row += by;
    } while (row >= 0 && row < pins.size && this.only >= 0 && pins.entry[row] !== this.only);
    if (row < 0 || row >= pins.size) {
      return;
    }
    this.selected = row;
    if (pins.start[row] < this.from || pins.end(row) > this.to) {
      const width = this.to - this.from;
      const from = Math.max(0, Math.min(this.about.micros - width, pins.start[row] - width / 2));
      this.show(from, from + width);
    }
    this.said.textContent = [this.title(row), ...this.lines(row)].join(', ');
    const box = this.surface.canvas.getBoundingClientRect();
    tip.show(box.left + this.x(pins.start[row], this.surface.width),
      box.top + this.top + (pins.lane[row] + 1) * this.row, this.title(row), this.lines(row));
    this.surface.redraw();
  }
}
