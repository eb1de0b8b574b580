import { IssuePages } from '#components/issue-events/issue-pages.tsx'
import { IssueHeader } from '#components/issue/detail/header.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { IssueAlertsView, RuleExplanationView } from '#server/console/alerts/views.ts'
import { LedgerList } from './ledger-list.tsx'
import { transitionTexts } from './transition-text.ts'
import '#styles/settings.css'

/** The `/issues/$issueId/alerts` screen: the messages about an issue, and the reasons why rules sent none. */
export function IssueAlerts({ view }: { view: IssueAlertsView }) {
  const { issue, entries, explanations, now } = view
  return (
    <NowProvider now={now}>
      <div className="issue-top">
        <IssueHeader issue={issue} />
        <IssuePages issueId={issue.id} current="alerts" />
      </div>
      <Panel id="sent" title="Decisions">
        {entries.length === 0 ? (
          <p className="panel-text">No rule has matched a transition of this issue.</p>
        ) : (
          <LedgerList entries={entries} hasIssues={false} />
        )}
      </Panel>
      {explanations.map((explanation) => (
        <Explanation key={explanation.ruleId} explanation={explanation} />
      ))}
    </NowProvider>
  )
}

/** Each condition of a rule with its value, for the last transition to which the rule applies. */
function Explanation({ explanation }: { explanation: RuleExplanationView }) {
  const { ruleId, name, transition, result, conditions } = explanation
  return (
    <Panel
      id={`rule-${ruleId}`}
      title={name}
      note={`${transitionTexts[transition]}: would ${result === 'sent' ? '' : 'not '}be sent now`}
    >
      <table className="conditions">
        <TableHead columns={['Condition', 'Value', 'Met']} />
        <tbody>
          {conditions.map(({ expected, actual, isMet }) => (
            <tr key={expected}>
              <th scope="row">
                <bdi>{expected}</bdi>
              </th>
              <td>
                <bdi>{actual}</bdi>
              </td>
              <td>{isMet ? 'yes' : <Badge tone="warning">no</Badge>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
