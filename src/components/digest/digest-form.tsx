import { LookupForm } from '#components/layout/lookup-form.tsx'

/** The lookup as the main thing on a screen, with what it accepts. */
export function DigestForm({ digest }: { digest?: string }) {
  return (
    <section className="digest-form" aria-label="Lookup">
      <LookupForm query={digest} />
      <p className="quiet">
        The code a failure page shows after <samp>Digest:</samp>, a whole event id, a trace id, or the digest
        of a Next.js application (a long number).
      </p>
    </section>
  )
}
