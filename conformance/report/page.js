// Search and filters: a case is shown when it matches the words, the verdict and
// the area that are chosen.
(() => {
  const search = document.getElementById('search');
  const shown = document.getElementById('shown');
  const none = document.getElementById('none');
  const verdicts = [...document.querySelectorAll('.chips button')];
  const areas = [...document.querySelectorAll('.area')];
  const files = [...document.querySelectorAll('.file')].map((node) => ({
    node,
    open: node.open,
    area: node.dataset.area,
    cases: [...node.querySelectorAll('.case')].map((c) => ({
      node: c,
      verdict: c.dataset.verdict,
      text: (node.querySelector('b').textContent + ':' + c.textContent).toLowerCase(),
    })),
  }));
  const total = files.reduce((n, f) => n + f.cases.length, 0);
  let verdict = '';
  let area = '';

  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const active = words.length > 0 || verdict !== '' || area !== '';
    let count = 0;
    for (const f of files) {
      let here = 0;
      for (const c of f.cases) {
        const match = (!verdict || c.verdict === verdict) && (!area || f.area === area) && words.every((w) => c.text.includes(w));
        c.node.hidden = !match;
        if (match) here++;
      }
      f.node.hidden = here === 0;
      f.node.open = active ? here > 0 : f.open;
      count += here;
    }
    none.hidden = count > 0;
    shown.textContent = active ? `${count} of ${total} cases` : '';
    for (const b of verdicts) b.setAttribute('aria-pressed', String(b.dataset.verdict === verdict));
    for (const b of areas) b.setAttribute('aria-pressed', String(b.dataset.area === area));
  }

  search.addEventListener('input', apply);
  for (const b of verdicts) b.addEventListener('click', () => { verdict = b.dataset.verdict; apply(); });
  for (const b of areas) b.addEventListener('click', () => { area = area === b.dataset.area ? '' : b.dataset.area; apply(); });
  document.addEventListener('keydown', (e) => {
    if (e.key === '/' && document.activeElement !== search) { e.preventDefault(); search.focus(); }
    if (e.key === 'Escape' && document.activeElement === search) { search.value = ''; apply(); }
  });

  // A link to a case shows it, whatever is chosen.
  function reveal() {
    const c = document.getElementById(location.hash.slice(1));
    if (!c || !c.classList.contains('case')) return;
    if (c.hidden) { search.value = ''; verdict = ''; area = ''; apply(); }
    c.closest('.file').open = true;
    if (c.tagName === 'DETAILS') c.open = true;
    c.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();
})();
