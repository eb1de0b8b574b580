import { CopyButton } from './copy-button.tsx'

/** Code to read and copy. `label` names it (`src/instrument.ts`, `Shell`). Long lines wrap. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} label={`Copy ${label}`} />
      </figcaption>
      <pre>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
