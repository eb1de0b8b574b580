import { issueLabel } from '#components/issue/issue-label.ts'
import { Badge } from '#components/ui/badge.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import type { GroupingTrialResult, TriedFrame, TriedRule } from '#server/forms/result-views.ts'

/** The result of a dry run of grouping rules on one event. */
export function GroupingTrialPanel({ trial }: { trial: GroupingTrialResult }) {
  const { fingerprintRule, fingerprint, frames, issue } = trial
  return (
    <Panel id="trial" title="Result" note={<EventLink eventId={trial.eventId} />}>
      <DefinitionList
        items={[
          { term: 'Title', description: <bdi>{trial.title}</bdi> },
          {
            term: 'Issue',
            description:
              issue === undefined ? (
                'New issue: no issue has this hash'
              ) : (
                <Link to="/issues/$issueId" params={{ issueId: issue.issueId }}>
                  <bdi>{issueLabel(issue)}</bdi>
                </Link>
              ),
          },
          {
            term: 'Fingerprint rule',
            description: fingerprintRule === undefined ? 'No match' : <RuleText rule={fingerprintRule} />,
          },
          ...(fingerprint === undefined
            ? []
            : [{ term: 'Fingerprint', description: <code>{JSON.stringify(fingerprint)}</code> }]),
          { term: 'Grouped by', description: `${trial.source}, mechanism ${trial.mechanism}` },
          {
            term: 'Hash',
            description: (
              <>
                <code>{trial.hash}</code>{' '}
                {trial.isAsNow ? <Badge>unchanged</Badge> : <Badge tone="accent">changed</Badge>}
              </>
            ),
          },
        ]}
      />
      {frames.length === 0 ? null : <FrameTable frames={frames} />}
    </Panel>
  )
}

function EventLink({ eventId }: { eventId: string }) {
  return (
    <Link to="/events/$eventId" params={{ eventId }}>
      Event {eventId.slice(0, 12)}
    </Link>
  )
}

function RuleText({ rule: { line, text } }: { rule: TriedRule }) {
  return (
    <>
      Line {line}: <code>{text}</code>
    </>
  )
}

function FrameTable({ frames }: { frames: readonly TriedFrame[] }) {
  return (
    <div className="tried-frames" role="region" aria-label="Frames" tabIndex={0}>
      <table>
        <TableHead columns={['Frame, most recent call first', 'In-app', 'Grouping', 'Rule']} />
        <tbody>
          {frames.map((frame, index) => (
            <tr key={index} data-changed={frame.rule !== undefined}>
              <th scope="row">
                <code dir="auto">{frame.function}</code>
                <span className="quiet" dir="auto">
                  {frame.path ?? frame.module ?? frame.of}
                </span>
              </th>
              <td>
                {frame.isApp ? 'yes' : 'no'}
                {frame.isApp === frame.wasApp ? null : ` (was ${frame.wasApp ? 'yes' : 'no'})`}
              </td>
              <td>{frame.isGrouped ? 'included' : 'excluded'}</td>
              <td>{frame.rule === undefined ? '' : <RuleText rule={frame.rule} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
