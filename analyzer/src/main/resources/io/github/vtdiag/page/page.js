/** The theme: as the system has it, or as the reader wants it. */
function themeSwitch() {
  const choice = document.getElementById('theme');
  choice.hidden = false;
  choice.addEventListener('change', () => {
    if (choice.value === '') {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = choice.value;
    }
    theme.changed();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => theme.changed());
}

/** Buttons that copy the command beside them. */
function copying() {
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const code = button.parentElement.querySelector('code');
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        // From a file that may be refused; then the reader copies it.
        getSelection().selectAllChildren(code);
      }
    });
  }
}

/** On paper nothing can be opened any more, and it is light. */
function printing() {
  let opened = [];
  let chosen;
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    opened.forEach(each => { each.open = true; });
    chosen = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = 'light';
    // No frame comes before the page is on paper.
    theme.changed(true);
  });
  addEventListener('afterprint', () => {
    opened.forEach(each => { each.open = false; });
    if (chosen === undefined) {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = chosen;
    }
    theme.changed();
  });
}

/** An address with a finding shows it, also where it is folded away. */
function addressed() {
  const target = document.getElementById(location.hash.slice(1));
  const folded = target?.closest('details:not([open])');
  if (folded) {
    folded.open = true;
    target.scrollIntoView();
  }
}

async function start() {
  themeSwitch();
  copying();
  printing();
  const data = await unpackedJson('data');
  for (const host of document.querySelectorAll('[data-chart]')) {
    if (host.dataset.chart === 'timeline') {
      await Timeline.into(host, data);
    } else {
      new Flames(host, data[host.dataset.chart], data.entries, host.dataset.chart === 'pinned');
    }
  }
  // The charts above have their height only now.
  if (location.hash.length > 1) {
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }
  addressed();
  addEventListener('hashchange', addressed);
  document.documentElement.dataset.ready = 'yes';
}

await start();
