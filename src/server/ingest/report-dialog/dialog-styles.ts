/**
 * The style of the dialog. The dialog's shadow root adopts it as a constructed sheet, which no `style-src` of
 * the page blocks. Media queries instead of `light-dark()`: visitors of other sites have older browsers than
 * users of the console.
 */
export const dialogStyles = `
:host { all: initial }
dialog {
  --text: #1c2428; --quiet: #4c5961; --ground: #fff; --line: #7b8891; --accent: #0b5f70; --on-accent: #fff; --error: #a4161a;
  box-sizing: border-box; width: min(34rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem); margin: auto; padding: 1.5rem;
  overflow: auto; border: 1px solid var(--line); border-radius: 8px; color: var(--text); background: var(--ground);
  color-scheme: light; font: 16px/1.5 system-ui, sans-serif; text-align: start; overflow-wrap: anywhere;
}
@media (prefers-color-scheme: dark) {
  dialog {
    --text: #e8ecee; --quiet: #b3bec5; --ground: #171d20; --line: #77858e; --accent: #7fd0e2; --on-accent: #06252c;
    --error: #ffb3b0; color-scheme: dark;
  }
}
dialog::backdrop { background: rgb(0 0 0 / .55) }
h2 { margin: 0; font-size: 1.25rem; line-height: 1.3 }
p { margin: .5rem 0 0 }
#subtitle { color: var(--quiet) }
[role=alert] { color: var(--error); font-weight: 600 }
:is(p, span):empty { display: none }
label { display: block; margin-top: 1rem; font-weight: 600 }
input, textarea {
  box-sizing: border-box; display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .75rem;
  border: 1px solid var(--line); border-radius: 4px; color: inherit; background: transparent; font: inherit; font-weight: 400;
}
textarea { min-height: 7rem; resize: vertical }
[aria-invalid=true] { border-color: var(--error); outline: 1px solid var(--error) }
.error { display: block; margin-top: .25rem; color: var(--error); font-size: .875rem }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button {
  min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 4px; color: inherit;
  background: transparent; font: inherit; font-weight: 600; cursor: pointer;
}
button[type=submit] { border-color: var(--accent); color: var(--on-accent); background: var(--accent) }
button[aria-disabled=true] { opacity: .7; cursor: progress }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[tabindex]:focus-visible { outline: none }
`
