import { CopyButton } from './copy-button.tsx'

/** Code to read and copy. `label` names it (`src/instrument.ts`, `Shell`). It scrolls sideways, by keyboard too. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} label={`Copy ${label}`} />
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
