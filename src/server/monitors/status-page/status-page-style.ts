import { createHash } from 'node:crypto'

/** The inline style of a status page, so that it needs one request. */
export const statusPageStyle = `:root{color-scheme:light dark;--canvas:light-dark(#f7fafb,#10171a);--ink:light-dark(#1f282d,#e6ebed);
--soft:light-dark(#55646c,#a5b1b7);--line:light-dark(#dbe2e5,#2c363b);--up:light-dark(#2c7a4b,#7fd0a0);--part:light-dark(#b7791f,#e8c268);
--down:light-dark(#b3261e,#f2938c);--none:light-dark(#d3dbdf,#37434a)}
*{box-sizing:border-box}
body{max-width:52rem;margin:0 auto;padding:1.5rem 1rem 3rem;color:var(--ink);background:var(--canvas);
font:0.9375rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:1.375rem}h2{margin:0;font-size:1rem}h3{margin:0;font-size:0.9375rem}p{margin:0}
header,section{margin-block-end:1.75rem}.soft{color:var(--soft);font-size:0.8125rem}
.sum{margin-block-start:0.75rem;padding:0.75rem 1rem;border:1px solid var(--line);border-inline-start:4px solid var(--none);border-radius:6px;
font-weight:600}
.sum[data-state=up]{border-inline-start-color:var(--up)}.sum[data-state=down]{border-inline-start-color:var(--down)}
article{padding-block:0.875rem;border-block-end:1px solid var(--line)}
.line{display:flex;flex-wrap:wrap;gap:0.25rem 1rem;justify-content:space-between}
.line.head{flex-wrap:nowrap}.head h3{min-width:0}
.state{flex:none;font-weight:600;color:var(--soft)}.state[data-state=up]{color:var(--up)}.state[data-state=down]{color:var(--down)}
.bars{display:flex;gap:1px;height:1.75rem;margin-block:0.375rem}
.bars span{flex:1;min-width:1px;border-radius:1px;background:var(--none)}
.bars [data-day=up]{background:#3f9a68}.bars [data-day=part]{background:var(--part)}.bars [data-day=down]{background:var(--down)}
ul{margin:0.5rem 0 0;padding:0;list-style:none}li{padding-block:0.5rem;border-block-end:1px solid var(--line)}
@media (forced-colors:active){.bars span{forced-color-adjust:none}}`

/** The content security policy of a status page: only its inline style. */
export const statusPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(statusPageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
