import { Badge } from '#components/ui/badge.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { MailFigures } from '#server/console/settings/views.ts'

/** The mail server, and why it does not accept mail. */
export function MailPanel({ mail: { server, problem } }: { mail: MailFigures }) {
  const badge = problem === undefined ? null : <Badge tone="danger">does not accept mail</Badge>
  return (
    <Panel id="mail" title="Mail server" note={badge}>
      <DefinitionList layout="facts" items={[{ term: 'Server', description: <bdi>{server}</bdi> }]} />
      {problem === undefined ? null : (
        <p className="panel-text">
          <bdi>{problem}</bdi>. The connection is checked every minute; mails are queued for up to a day.
          Check CULVERT_SMTP_URL.
        </p>
      )}
    </Panel>
  )
}
