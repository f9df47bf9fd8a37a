/** Stacks by time, the outermost frame on top. A click makes a frame as wide as the chart. */
class Flames {
  static ROW = 19;
  static OWNERS = {application: 'application', library: 'library', jdk: 'JDK', strange: 'not known whose'};

  constructor(host, data, entries, pinned) {
    this.unfolded = data;
    this.folded = folded(data);
    this.wantsFolded = this.folded !== null;
    const shown = new Set(this.folded?.name);
    this.foldedAway = this.wantsFolded ? data.names.filter((name, number) => !shown.has(number)) : [];
    this.entries = entries;
    this.pinned = pinned;
    this.query = '';
    this.matches = null;
    this.take(this.folded ?? data);
    this.surface = new Surface(
      pinned ? 'Flame graph of pinned time' : 'Flame graph of waiting time', 'flame graph',
      (pen, width) => this.draw(pen, width));
    this.controls(host);
    this.listen();
    this.fit();
  }

  /** Turns to these frames, folded or not. */
  take(data) {
    this.data = data;
    this.size = data.name.length;
    this.zoomed = -1;
    this.selected = -1;
    this.measure();
  }

  wantFolded(wanted) {
    this.wantsFolded = wanted;
    this.fold(wanted);
  }

  /** Shows all frames, or those of libraries and the JDK folded; what is searched for stays marked. */
  fold(wanted) {
    this.take(wanted ? this.folded : this.unfolded);
    this.folding.checked = wanted;
    this.mark();
    this.fit();
  }

  /** The frames that a frame of the folded graph stands for; empty if it is one itself. */
  inside(i) {
    const frames = this.data.frames?.[i] ?? [];
    return this.data.name[i] < this.unfolded.names.length ? [] : frames;
  }

  /** Where each frame begins, in nanoseconds from the left, and how deep it is. */
  measure() {
    const {parents, nanos} = this.data;
    this.from = new Float64Array(this.size);
    this.depth = new Uint16Array(this.size);
    this.children = Array.from({length: this.size + 1}, () => []);
    const filled = new Float64Array(this.size);
    this.total = 0;
    for (let i = 0; i < this.size; i++) {
      const outer = parents[i];
      this.children[outer + 1].push(i);
      if (outer < 0) {
        this.from[i] = this.total;
        this.total += nanos[i];
      } else {
        this.depth[i] = this.depth[outer] + 1;
        this.from[i] = this.from[outer] + filled[outer];
        filled[outer] += nanos[i];
      }
    }
    // The number after those of the frames inside of one: they follow it.
    this.after = new Uint32Array(this.size);
    for (let i = this.size - 1; i >= 0; i--) {
      const inner = this.children[i + 1];
      this.after[i] = inner.length === 0 ? i + 1 : this.after[inner[inner.length - 1]];
    }
  }

  controls(host) {
    this.search = element('input', {
      type: 'search', placeholder: 'Search frames', 'aria-label': 'Search frames', spellcheck: 'false',
      oninput: () => this.find(this.search.value),
      onkeydown: event => {
        if (event.key === 'Enter') {
          this.toMatch(event.shiftKey ? -1 : 1);
        }
      },
    });
    this.result = element('output', {class: 'result'});
    this.folding = element('input', {type: 'checkbox', onchange: () => this.wantFolded(this.folding.checked)});
    this.folding.checked = this.wantsFolded;
    const folding = element('label', {class: 'fold'}, this.folding, 'Fold what libraries and the JDK do');
    folding.hidden = !this.wantsFolded;
    this.back = element('button', {type: 'button', onclick: () => this.zoom(this.outer())}, 'Back');
    this.all = element('button', {type: 'button', onclick: () => this.zoom(-1)}, 'Show all');
    this.said = element('p', {class: 'unseen', role: 'status'});
    const legend = element('ul', {class: 'legend'});
    const used = new Set(this.unfolded.name.map(name => this.unfolded.whose[name]));
    for (const [whose, owner] of Object.entries(Flames.OWNERS)) {
      if (used.has(whose)) {
        legend.append(element('li', {}, element('span', {class: 'chip ' + whose}), this.styled(owner, whose)));
      }
    }
    if (this.pinned) {
      legend.append(element('li', {}, element('span', {class: 'chip holding'}),
        '\u25a0 and the number of its finding: holds the carrier'));
    }
    host.replaceChildren(
      element('div', {class: 'tools'}, this.search, this.result,
        element('span', {class: 'push'}), folding, this.back, this.all),
      legend, this.surface.box, this.said,
      element('p', {class: 'keys'}, 'Click a frame to zoom in. Keys: ', ...keys('arrows'), ' go from frame to frame, ',
        ...keys('Enter'), ' zooms, ', ...keys('Backspace'), ' goes back, ', ...keys('Esc'), ' shows all.'));
  }

  styled(owner, whose) {
    return whose === 'application' ? element('b', {}, owner) : whose === 'jdk' ? element('i', {}, owner) : owner;
  }

  fit() {
    let deepest = 0;
    for (let i = 0; i < this.size; i++) {
      if (this.isShown(i)) {
        deepest = Math.max(deepest, this.depth[i]);
      }
    }
    this.surface.height = (deepest + 1) * Flames.ROW + 1;
    this.back.disabled = this.all.disabled = this.zoomed < 0;
    this.surface.canvas.dataset.zoomed = this.zoomed < 0 ? '' : this.name(this.zoomed);
    this.surface.redraw();
  }

  unfoldedName(i) {
    return this.unfolded.names[this.unfolded.name[i]];
  }

  name(i) {
    return this.data.names[this.data.name[i]];
  }

  /** The part that the chart is as wide as. */
  range() {
    return this.zoomed < 0 ? [0, this.total] : [this.from[this.zoomed], this.data.nanos[this.zoomed]];
  }

  isShown(i) {
    const [from, width] = this.range();
    return this.from[i] + this.data.nanos[i] > from && this.from[i] < from + width;
  }

  /** Left edge and width of a frame in pixels. */
  place(i, width) {
    const [from, all] = this.range();
    const left = Math.max(0, (this.from[i] - from) / all * width);
    const right = Math.min(width, (this.from[i] + this.data.nanos[i] - from) / all * width);
    return [left, right - left];
  }

  draw(pen, width) {
    pen.textBaseline = 'middle';
    pen.direction = 'ltr';
    for (let i = 0; i < this.size;) {
      const [left, wide] = this.place(i, width);
      if (wide < 0.4) {
        // What is inside of it is no wider.
        i = this.after[i];
        continue;
      }
      this.frame(pen, i, left, this.depth[i] * Flames.ROW, Math.max(0.6, wide - (wide > 3 ? 1 : 0)));
      i++;
    }
    if (this.selected >= 0 && this.isShown(this.selected)) {
      const [left, wide] = this.place(this.selected, width);
      pen.strokeStyle = theme.colour('ink');
      pen.lineWidth = 2;
      pen.strokeRect(left + 1, this.depth[this.selected] * Flames.ROW + 1, Math.max(2, wide - 3), Flames.ROW - 3);
    }
  }

  frame(pen, i, left, top, wide) {
    const whose = this.data.whose[this.data.name[i]];
    const part = this.data.held[i] / Math.max(1, this.data.nanos[i]);
    const holds = part >= 0.5;
    const match = this.matches === null || this.matches[this.data.name[i]];
    pen.globalAlpha = match ? this.depth[i] < (this.zoomed < 0 ? 0 : this.depth[this.zoomed]) ? 0.6 : 1 : 0.28;
    pen.fillStyle = theme.colour(holds ? siteName(this.data.entries[i]) : whose);
    pen.fillRect(left, top, wide, Flames.ROW - 1);
    if (part > 0 && !holds) {
      // It holds seldom: a line as long as that part of its time.
      pen.fillStyle = theme.colour(siteName(this.data.entries[i]));
      pen.fillRect(left, top + Flames.ROW - 4, Math.max(Math.min(2, wide), wide * part), 3);
    }
    if (wide > 24) {
      pen.fillStyle = theme.colour(holds ? 'on' : 'ink');
      pen.font = (holds || whose === 'application' ? '600 ' : whose === 'jdk' ? 'italic ' : '') + '12px ' + MONO;
      const text = (holds ? '\u25a0 ' + (this.data.entries[i] || '') + ' ' : '') + this.label(pen, i, wide - 40);
      pen.fillText(fitted(pen, text, wide - 8), left + 4, top + Flames.ROW / 2);
    }
    if (this.matches !== null && match && wide > 2) {
      pen.strokeStyle = theme.colour('ink');
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, top + 0.5, wide - 1, Flames.ROW - 2);
    }
    pen.globalAlpha = 1;
  }

  /** With its package where there is room for it. */
  label(pen, i, wide) {
    const name = this.name(i);
    if (name.length * 7.3 <= wide) {
      return name;
    }
    const method = name.lastIndexOf('.');
    return name.slice(name.lastIndexOf('.', method - 1) + 1);
  }

  frameAt(x, y) {
    const depth = Math.floor(y / Flames.ROW);
    for (let i = 0; i < this.size; i++) {
      if (this.depth[i] === depth) {
        const [left, wide] = this.place(i, this.surface.width);
        if (wide > 0 && x >= left && x < left + wide) {
          return i;
        }
      }
    }
    return -1;
  }

  lines(i) {
    const {nanos, held, entries} = this.data;
    const folded = this.inside(i);
    const lines = folded.length === 0 ? [] : ['From ' + this.unfoldedName(folded[0]) + '; a click shows all'];
    lines.push(duration(nanos[i]) + ', ' + percent(nanos[i] / this.total) + ' of all '
      + (this.pinned ? 'pinned' : 'waiting') + ' time'
      + (folded.length === 0 ? '; ' + Flames.OWNERS[this.data.whose[this.data.name[i]]] : ''));
    if (held[i] > 0) {
      lines.push('Holds the carrier' + (held[i] < nanos[i] ? ' for ' + duration(held[i]) + ' of it' : '')
        + (entries[i] > 0 ? ': finding ' + entries[i] : ''));
    }
    return lines;
  }

  listen() {
    const canvas = this.surface.canvas;
    canvas.addEventListener('pointermove', event => {
      const i = this.frameAt(...this.surface.at(event));
      if (i < 0) {
        tip.hide();
      } else {
        tip.show(event.clientX, event.clientY, this.name(i), this.lines(i));
      }
    });
    canvas.addEventListener('click', event => {
      const i = this.frameAt(...this.surface.at(event));
      if (i >= 0) {
        this.enter(i);
      }
    });
    canvas.addEventListener('keydown', event => this.key(event));
    canvas.addEventListener('blur', () => {
      this.selected = -1;
      tip.hide();
      this.surface.redraw();
    });
  }

  key(event) {
    const moves = {
      ArrowDown: () => this.children[this.selected + 1][0],
      ArrowUp: () => this.selected < 0 ? -1 : this.data.parents[this.selected],
      ArrowLeft: () => this.beside(-1),
      ArrowRight: () => this.beside(1),
    };
    if (event.key in moves) {
      this.select(moves[event.key]());
    } else if (event.key === 'Enter' && this.selected >= 0) {
      this.enter(this.selected);
    } else if (event.key === 'Backspace') {
      this.zoom(this.outer());
    } else if (event.key === 'Escape') {
      this.zoom(-1);
    } else {
      return;
    }
    event.preventDefault();
  }

  beside(step) {
    if (this.selected < 0) {
      return this.children[0][0];
    }
    const all = this.children[this.data.parents[this.selected] + 1];
    return all[all.indexOf(this.selected) + step];
  }

  select(i) {
    if (i === undefined || i < 0) {
      return;
    }
    this.selected = i;
    if (!this.isShown(i)) {
      this.zoom(this.data.parents[i]);
    }
    this.said.textContent = [this.name(i), ...this.lines(i)].join(', ');
    const box = this.surface.canvas.getBoundingClientRect();
    const [left] = this.place(i, this.surface.width);
    tip.show(box.left + left, box.top + this.depth[i] * Flames.ROW, this.name(i), this.lines(i));
    this.surface.redraw();
  }

  /** Zooms to a frame; to one that stands for others by showing all frames. */
  enter(i) {
    const folded = new Set(this.inside(i));
    if (folded.size === 0) {
      this.selected = i;
      this.zoom(i);
      return;
    }
    const {parents} = this.unfolded;
    const outermost = [...folded].filter(each => !folded.has(parents[each]));
    const outer = new Set(outermost.map(each => parents[each]));
    this.wantFolded(false);
    this.zoom(outermost.length === 1 ? outermost[0] : outer.size === 1 ? [...outer][0] : -1);
  }

  outer() {
    return this.zoomed < 0 ? -1 : this.data.parents[this.zoomed];
  }

  zoom(i) {
    this.zoomed = i;
    this.said.textContent = i < 0 ? 'All frames' : 'Zoomed to ' + this.name(i);
    this.fit();
  }

  /** Marks what matches, shows the first of it, and says how much it is. */
  find(query) {
    this.query = query.trim().toLowerCase();
    const wanted = this.wantsFolded && !(this.query !== '' && this.foldedAway.some(name => this.isMatch(name)));
    if (wanted === (this.data === this.folded)) {
      this.mark();
    } else {
      this.fold(wanted);
    }
    if (this.query === '') {
      this.result.textContent = '';
    } else {
      this.result.textContent = this.found.length === 0
        ? 'no frame'
        : count(this.found.length, 'frame') + ', ' + duration(this.foundNanos) + ' (' + percent(this.foundNanos / this.total) + ')';
      this.scrollTo(this.found[0]);
    }
  }

  isMatch(name) {
    return name.toLowerCase().includes(this.query);
  }

  /** Finds the frames that match. */
  mark() {
    this.current = -1;
    this.found = [];
    this.foundNanos = 0;
    this.matches = this.query === '' ? null : this.data.names.map(name => this.isMatch(name));
    let inside = 0;
    for (let i = 0; this.matches !== null && i < this.size; i++) {
      if (this.matches[this.data.name[i]]) {
        this.found.push(i);
        // A frame inside another match is in its time already.
        if (i >= inside) {
          this.foundNanos += this.data.nanos[i];
          inside = this.after[i];
        }
      }
    }
    this.surface.redraw();
  }

  /** Brings a frame's row into view. */
  scrollTo(i) {
    if (i === undefined) {
      return;
    }
    if (!this.isShown(i)) {
      this.zoom(-1);
    }
    const top = this.surface.canvas.getBoundingClientRect().top + this.depth[i] * Flames.ROW;
    if (top < 80 || top + Flames.ROW > innerHeight) {
      scrollBy({top: top - innerHeight / 2});
    }
  }

  /** From match to match, with the keyboard. */
  toMatch(step) {
    if (this.matches !== null && this.found.length > 0) {
      this.current = (this.current + step + this.found.length) % this.found.length;
      this.scrollTo(this.found[this.current]);
      this.select(this.found[this.current]);
    }
  }
}

function keys(...names) {
  return names.map(name => element('kbd', {}, name));
}
