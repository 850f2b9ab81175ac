import { darkTheme, lightTheme, themeVariables } from './charts/theme.js';

/** The look of a report: light and dark by the reader's choice, always light on paper of size A4. */
export const htmlStyle: string = `:root:has(body:not(.gradus-live)) { color-scheme: light dark; background: none; }
body:not(.gradus-live), #gradus-static { ${themeVariables(lightTheme)} --gradus-line: #d5d9de; --gradus-quiet: #59616b; --gradus-band: #f4f6f8; --gradus-link: #005a9c; }
@media (prefers-color-scheme: dark) { body:not(.gradus-live), #gradus-static { ${themeVariables(darkTheme)} --gradus-line: #3a4049; --gradus-quiet: #a6adb7; --gradus-band: #1e2228; --gradus-link: #7cc4f2; } }
* { box-sizing: border-box; }
body { margin: 0; }
body:not(.gradus-live) { background: var(--gradus-paper); color: var(--gradus-ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
#gradus-static { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
body.gradus-live #gradus-static { display: none; }
#gradus-static h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 0.8rem; overflow-wrap: anywhere; }
#gradus-static h2 { font-size: 1.3rem; margin: 2.5rem 0 0.8rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--gradus-line); }
#gradus-static p { max-width: 46rem; overflow-wrap: anywhere; }
#gradus-static a { color: var(--gradus-link); }
#gradus-static nav { margin: 0 0 1rem; }
#gradus-static nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin: 0; padding: 0; list-style: none; }
#gradus-static dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 1rem 0; }
#gradus-static dt { color: var(--gradus-quiet); }
#gradus-static dd { margin: 0; overflow-wrap: anywhere; }
#gradus-static figure { margin: 1.5rem 0; }
#gradus-static figcaption { color: var(--gradus-quiet); font-size: 0.9rem; overflow-wrap: anywhere; }
#gradus-static svg.gradus-chart { display: block; max-width: 100%; height: auto; }
#gradus-static .table { overflow-x: auto; margin: 1.2rem 0; }
#gradus-static table { border-collapse: collapse; font-size: 0.92rem; }
#gradus-static caption { text-align: left; padding: 0.2rem 0; color: var(--gradus-quiet); }
#gradus-static caption strong { color: var(--gradus-ink); }
#gradus-static th, #gradus-static td { padding: 0.2rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--gradus-line); overflow-wrap: break-word; max-width: 26rem; }
#gradus-static th { font-weight: 600; border-bottom: 2px solid var(--gradus-quiet); }
#gradus-static .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
#gradus-static th.n { white-space: normal; }
#gradus-static tbody tr:nth-child(even) { background: var(--gradus-band); }
#gradus-static sup { font-size: 0.7em; line-height: 0; padding-left: 0.1em; }
@page { size: A4; margin: 15mm; }
@media print {
  :root { color-scheme: light !important; background: none !important; }
  body, body:not(.gradus-live), #gradus-static { ${themeVariables(lightTheme)} --gradus-line: #d5d9de; --gradus-quiet: #59616b; --gradus-band: #ffffff; --gradus-link: #1b1f24; color: var(--gradus-ink); background: none; }
  body, body:not(.gradus-live) { font: 10pt/1.4 system-ui, -apple-system, "Segoe UI", sans-serif; }
  #gradus-app { display: none; }
  body #gradus-static, body.gradus-live #gradus-static { display: block; max-width: none; padding: 0; }
  #gradus-static nav { display: none; }
  #gradus-static h1 { font-size: 18pt; }
  #gradus-static h2 { font-size: 13pt; margin-top: 8mm; break-after: avoid; }
  #gradus-static figure { break-inside: avoid; margin: 4mm 0; }
  #gradus-static .table { overflow: visible; }
  #gradus-static table { font-size: 8pt; width: 100%; }
  #gradus-static th, #gradus-static td { padding: 0.5mm 1.2mm; }
  #gradus-static thead { display: table-header-group; }
  #gradus-static tr, #gradus-static .short { break-inside: avoid; }
  #gradus-static td:not(.n) { overflow-wrap: anywhere; min-width: 14mm; }
}`;
