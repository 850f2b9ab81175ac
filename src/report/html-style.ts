import { darkTheme, lightTheme, themeVariables } from './charts/theme.js';

const light = `${themeVariables(lightTheme)} --gradus-line: #d9d6ce; --gradus-quiet: #565e69; --gradus-band: #f4f3ef; --gradus-link: #0b5a8f; --gradus-good: #00654b; --gradus-warn: #7a4b00; --gradus-wash: #f2f1ec; --gradus-goodwash: #e3f2ec; --gradus-warnwash: #fdf1da; --gradus-infowash: #e3eff8;`;
const dark = `${themeVariables(darkTheme)} --gradus-line: #343a41; --gradus-quiet: #a9b1bb; --gradus-band: #20252a; --gradus-link: #7cc4f0; --gradus-good: #6fdcb9; --gradus-warn: #f2c35e; --gradus-wash: #262b31; --gradus-goodwash: #16332a; --gradus-warnwash: #352a12; --gradus-infowash: #172c3c;`;
/** What has the look of a report: the page as it stands in the file, with and without the components of the app. */
const places = 'body:not(.gradus-live), #gradus-summary, #gradus-static';
const inside = (selector: string): string => `#gradus-summary ${selector}, #gradus-static ${selector}`;

/** The look of a report: light and dark by the reader's choice, always light on paper of size A4. */
export const htmlStyle: string = `:root:has(body:not(.gradus-live)) { color-scheme: light dark; background: none; }
${places} { ${light} }
@media (prefers-color-scheme: dark) { ${places} { ${dark} } }
:root[data-theme="light"] #gradus-summary { ${light} }
:root[data-theme="dark"] #gradus-summary { ${dark} }
* { box-sizing: border-box; }
body { margin: 0; }
body:not(.gradus-live) { background: var(--gradus-paper); color: var(--gradus-ink); }
#gradus-summary, #gradus-static { max-width: 60rem; margin: 0 auto; padding: 0 1rem; color: var(--gradus-ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; font-variant-numeric: tabular-nums; }
#gradus-summary { padding-top: 1.5rem; }
#gradus-static { padding-bottom: 4rem; }
body.gradus-live #gradus-static { display: none; }
body.gradus-live #gradus-summary { max-width: 76rem; padding-inline: clamp(0.75rem, 3vw, 2rem); }
#gradus-summary figure { max-width: 58rem; }
${inside('h1')} { font-size: 1.65rem; font-weight: 640; line-height: 1.2; margin: 0 0 0.6rem; overflow-wrap: anywhere; }
${inside('h2')} { font-size: 1.1rem; font-weight: 620; margin: 0; }
#gradus-summary section > h2, #gradus-static section > h2 { margin: 2rem 0 0.6rem; }
${inside('p')} { max-width: 46rem; overflow-wrap: anywhere; }
${inside('a')} { color: var(--gradus-link); }
#gradus-summary .about { color: var(--gradus-quiet); margin: 0 0 1rem; padding-bottom: 0.5rem; border-bottom: 1px solid var(--gradus-line); max-width: none; }
#gradus-summary .state { display: inline-block; margin: 0 0 0.5rem; padding: 0.1rem 0.6rem; border-radius: 6px; font-size: 0.85rem; font-weight: 600; background: var(--gradus-wash); }
#gradus-summary .state.good { background: var(--gradus-goodwash); color: var(--gradus-good); }
#gradus-summary .state.warn { background: var(--gradus-warnwash); color: var(--gradus-warn); }
#gradus-summary .state.info { background: var(--gradus-infowash); color: var(--gradus-link); }
#gradus-summary .detail { color: var(--gradus-quiet); margin: 0 0 1rem; }
#gradus-summary .caveats { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0.8rem 1.5rem; margin: 1rem 0; padding: 1rem 0 0; list-style: none; border-top: 1px solid var(--gradus-line); font-size: 0.9rem; color: var(--gradus-quiet); }
#gradus-summary .caveats .warn strong { color: var(--gradus-warn); }
#gradus-summary .caveats .good strong { color: var(--gradus-good); }
#gradus-summary section > p { color: var(--gradus-quiet); font-size: 0.9rem; }
#gradus-summary .command { margin: 0.5rem 0 0; font: 0.8rem ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--gradus-quiet); }
#gradus-session-note { max-width: 60rem; margin: 0 auto; padding: 0 1rem 2rem; font: 0.9rem/1.5 system-ui, sans-serif; }
#gradus-static nav { margin: 2rem 0 1rem; }
#gradus-static nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin: 0; padding: 0; list-style: none; }
#gradus-static details { border-top: 1px solid var(--gradus-line); }
#gradus-static summary { cursor: pointer; padding: 0.7rem 0; }
#gradus-static summary h2 { display: inline; }
#gradus-static summary:focus-visible { outline: 2px solid var(--gradus-link); outline-offset: 2px; }
${inside('dl')} { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 1rem 0; }
${inside('dt')} { color: var(--gradus-quiet); }
${inside('dd')} { margin: 0; overflow-wrap: anywhere; }
${inside('figure')} { margin: 1rem 0; }
${inside('figcaption')} { color: var(--gradus-quiet); font-size: 0.9rem; overflow-wrap: anywhere; }
${inside('svg.gradus-chart')} { display: block; max-width: 100%; height: auto; }
#gradus-summary .wide svg.gradus-chart { width: 100%; }
#gradus-summary .narrow { display: none; }
@media screen and (max-width: 599px) { #gradus-summary .wide { display: none; } #gradus-summary .narrow { display: block; } #gradus-summary h1 { font-size: 1.35rem; } }
#gradus-static .table { overflow-x: auto; margin: 1.2rem 0; }
#gradus-static table { border-collapse: collapse; font-size: 0.92rem; }
#gradus-static caption { text-align: left; padding: 0.2rem 0; color: var(--gradus-quiet); }
#gradus-static caption strong { color: var(--gradus-ink); }
#gradus-static th, #gradus-static td { padding: 0.2rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--gradus-line); overflow-wrap: break-word; max-width: 26rem; }
#gradus-static th { font-weight: 600; border-bottom: 2px solid var(--gradus-quiet); }
#gradus-static .n { text-align: right; white-space: nowrap; overflow-wrap: normal; }
#gradus-static th.n { white-space: normal; }
#gradus-static tbody tr:nth-child(even) { background: var(--gradus-band); }
#gradus-static sup { font-size: 0.7em; line-height: 0; padding-left: 0.1em; }
@page { size: A4; margin: 12mm 14mm; }
@media print {
  :root { color-scheme: light !important; background: none !important; }
  body, ${places} { ${light} --gradus-band: #ffffff; --gradus-link: #1b1f25; color: var(--gradus-ink); background: none; }
  :root[data-theme] #gradus-summary { ${light} }
  #gradus-summary, #gradus-static { max-width: none; padding: 0; font-size: 10pt; line-height: 1.4; }
  #gradus-app { display: none; }
  body #gradus-static, body.gradus-live #gradus-static { display: block; }
  #gradus-summary .narrow, #gradus-static nav { display: none; }
  #gradus-summary .caveats { grid-template-columns: repeat(auto-fit, minmax(38mm, 1fr)); gap: 2mm 5mm; margin: 1mm 0; padding-top: 2mm; font-size: 9pt; }
  #gradus-summary section > p, #gradus-summary .command { font-size: 9pt; line-height: 1.32; }
  ${inside('h1')} { font-size: 16pt; margin-bottom: 1.5mm; }
  #gradus-summary .about { margin-bottom: 2mm; padding-bottom: 1mm; }
  #gradus-summary .detail { margin-bottom: 2mm; }
  #gradus-summary p { max-width: none; margin-block: 1mm; }
  ${inside('h2')} { font-size: 12pt; break-after: avoid; }
  #gradus-summary section { break-inside: avoid; }
  #gradus-summary section > h2 { margin: 3mm 0 1mm; }
  #gradus-summary figcaption { display: none; }
  #gradus-summary #chart-deciding-topics svg.gradus-chart { width: 66%; }
  /* the appendix begins on a page of its own, unless the summary leaves most of its last page empty; all of it is printed */
  #gradus-static:not(.follows) { break-before: page; }
  #gradus-static details::details-content { content-visibility: visible; block-size: auto; }
  #gradus-static summary { list-style: none; padding: 3mm 0 1mm; break-after: avoid; }
  #gradus-static summary::-webkit-details-marker { display: none; }
  ${inside('figure')} { break-inside: avoid; margin: 3mm 0; }
  #gradus-summary figure { margin: 1mm 0; }
  /* no picture is longer than a page */
  #gradus-static svg.gradus-chart { max-height: 235mm; }
  #gradus-static .table { overflow: visible; }
  #gradus-static table { font-size: 9pt; width: 100%; }
  #gradus-static th, #gradus-static td { padding: 0.5mm 1.2mm; }
  #gradus-static thead { display: table-header-group; }
  #gradus-static tr, #gradus-static .short { break-inside: avoid; }
  #gradus-static td:not(.n, .whole) { overflow-wrap: anywhere; min-width: 24mm; }
  #gradus-static td.whole { white-space: nowrap; }
}`;
