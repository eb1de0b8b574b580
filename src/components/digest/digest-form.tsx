import { LookupForm } from '#components/layout/lookup-form.tsx'

/** The lookup field of a screen, with the IDs that it accepts. */
export function DigestForm({ digest }: { digest?: string }) {
  return (
    <section className="digest-form" aria-label="Lookup">
      <LookupForm query={digest} />
      <p className="quiet">
        Paste the code after <samp>Digest:</samp> on an error page, an event ID, a trace ID, or the digest of
        a Next.js application (a long number).
      </p>
    </section>
  )
}
