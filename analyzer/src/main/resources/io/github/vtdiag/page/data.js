/** What the page carries: gzip in base64, unpacked when it is asked for. */
async function unpacked(id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpackedJson(id) {
  return JSON.parse(new TextDecoder().decode(await unpacked(id)));
}

/** The pins of a recording in the order of their start, as columns; times in microseconds. */
class Pins {
  constructor(bytes, size, lanes) {
    let at = 0;
    const next = () => {
      let value = 0;
      let factor = 1;
      let byte;
      do {
        byte = bytes[at++];
        // No shifts: they end at 32 bits.
        value += (byte & 0x7f) * factor;
        factor *= 128;
      } while (byte > 0x7f);
      return value;
    };
    this.size = size;
    this.start = new Float64Array(size);
    this.length = new Float64Array(size);
    this.entry = new Uint16Array(size);
    this.lane = new Uint16Array(size);
    this.thread = new Float64Array(size);
    for (let i = 0, last = 0; i < size; i++) {
      last = this.start[i] = last + next();
    }
    for (let i = 0; i < size; i++) {
      this.length[i] = next();
    }
    for (let i = 0; i < size; i++) {
      this.entry[i] = next();
    }
    for (let i = 0; i < size; i++) {
      this.lane[i] = next();
    }
    for (let i = 0, last = 0; i < size; i++) {
      const coded = next();
      last = this.thread[i] = last + (coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2);
    }
    this.byLane(lanes);
  }

  /** The same by lane, where no pin overlaps the next; side by side, as they are drawn. */
  byLane(lanes) {
    this.laneBegin = new Uint32Array(lanes + 1);
    for (let i = 0; i < this.size; i++) {
      this.laneBegin[this.lane[i] + 1]++;
    }
    for (let lane = 0; lane < lanes; lane++) {
      this.laneBegin[lane + 1] += this.laneBegin[lane];
    }
    const next = this.laneBegin.slice();
    this.rows = new Uint32Array(this.size);
    this.laneStart = new Float64Array(this.size);
    this.laneEnd = new Float64Array(this.size);
    this.laneEntry = new Uint16Array(this.size);
    for (let i = 0; i < this.size; i++) {
      const place = next[this.lane[i]]++;
      this.rows[place] = i;
      this.laneStart[place] = this.start[i];
      this.laneEnd[place] = this.start[i] + this.length[i];
      this.laneEntry[place] = this.entry[i];
    }
  }

  end(row) {
    return this.start[row] + this.length[row];
  }

  /** The first place in a lane whose pin ends after a time. */
  firstAfter(lane, time) {
    let low = this.laneBegin[lane];
    let high = this.laneBegin[lane + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.laneEnd[middle] > time) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
