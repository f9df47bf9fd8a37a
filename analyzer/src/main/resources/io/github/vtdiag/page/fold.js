/**
 * The frames of a flame graph, with what libraries and the JDK do between the application's frames folded into one
 * frame each. Shown stay: the application's frames, frames whose owner is not known, frames that hold a carrier, and what
 * any of these calls. Has the columns of the frames that were there, and of each frame which ones it stands for; null if
 * nothing can be folded.
 */
function folded(data) {
  const root = foldNode(-1);
  const nodes = [];
  let folds = false;
  for (let i = 0; i < data.name.length; i++) {
    const outer = data.parents[i] < 0 ? root : nodes[data.parents[i]];
    const shown = isShown(data, i) || (data.parents[i] >= 0 && isShown(data, data.parents[i]));
    let node = outer;
    if (shown || !outer.fold) {
      const key = shown ? data.name[i] : 'fold';
      node = outer.inner.get(key) ?? foldNode(data.name[i], !shown);
      outer.inner.set(key, node);
      node.nanos += data.nanos[i];
    }
    node.frames.push(i);
    node.held += data.held[i];
    node.entries.set(data.entries[i], (node.entries.get(data.entries[i]) ?? 0) + data.held[i]);
    if (node.fold) {
      node.depth.set(i, (node.depth.get(data.parents[i]) ?? 0) + 1);
      folds ||= node.frames.length > 1;
    }
    nodes.push(node);
  }
  return folds ? columns(data, root) : null;
}

function isShown(data, i) {
  const whose = data.whose[data.name[i]];
  return whose === 'application' || whose === 'strange' || data.held[i] > 0;
}

function foldNode(name, fold = false) {
  return {name, fold, nanos: 0, held: 0, entries: new Map(), frames: [], depth: new Map(), inner: new Map()};
}

/** The nodes as columns, each before what is inside of it, the longest first. */
function columns(data, root) {
  const made = {
    names: [...data.names], whose: [...data.whose],
    parents: [], name: [], nanos: [], held: [], entries: [], frames: [],
  };
  const add = (node, parent) => {
    for (const inner of [...node.inner.values()].sort((a, b) => b.nanos - a.nanos)) {
      const own = made.name.length;
      made.parents.push(parent);
      made.name.push(nameOf(data, inner, made));
      made.nanos.push(inner.nanos);
      made.held.push(inner.held);
      made.entries.push([...inner.entries].sort((a, b) => b[1] - a[1])[0][0]);
      made.frames.push(inner.frames);
      add(inner, own);
    }
  };
  add(root, -1);
  return made;
}

/** The number of a node's name; what is folded gets one that says how much it is and whose. */
function nameOf(data, node, made) {
  const different = new Set(node.frames.map(i => data.name[i]));
  if (different.size === 1) {
    return node.name;
  }
  const time = new Map();
  for (const i of node.frames) {
    const owner = ownerOf(data, i);
    time.set(owner, (time.get(owner) ?? 0) + data.nanos[i]);
  }
  const owners = [...time].sort((a, b) => b[1] - a[1]).map(each => each[0]);
  const most = 3;
  const deepest = Math.max(...node.depth.values());
  const upTo = deepest < node.frames.length ? 'up to ' : '';
  made.names.push('\u22ef ' + upTo + count(deepest, 'frame') + ': ' + owners.slice(0, most).join(', ')
    + (owners.length > most ? ', \u2026' : ''));
  made.whose.push(owners[0] === 'JDK' ? 'jdk' : 'library');
  return made.names.length - 1;
}

/** The JDK, or the first two parts of a library's package. */
function ownerOf(data, i) {
  return data.whose[data.name[i]] === 'jdk' ? 'JDK' : data.names[data.name[i]].split('.').slice(0, 2).join('.');
}
