import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'

/** The data of SDKs that Culvert stores, and what it accepts without storing: an SDK gets 200 for both. */
export function StoredData({ slug }: { slug: string }) {
  return (
    <Panel id="data" title="Supported data">
      <DefinitionList
        items={[
          {
            term: 'Stored',
            description:
              'Errors, messages, feedback, attachments, sessions (as counts for each release), security reports, transactions and spans, check-ins',
          },
          {
            term: 'Not stored yet',
            description: (
              <>
                Logs, metrics, replays, profiles. SDKs may send them: they are accepted, discarded, and
                counted as “not supported” under{' '}
                <Link to="/outcomes" search={{ project: slug }}>
                  Ingestion
                </Link>
                .
              </>
            ),
          },
        ]}
      />
    </Panel>
  )
}
