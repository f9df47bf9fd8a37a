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

/** On paper nothing can be opened any more. */
function printing() {
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    opened.forEach(each => { each.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach(each => { each.open = false; }));
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
  document.documentElement.dataset.ready = 'yes';
}

await start();
