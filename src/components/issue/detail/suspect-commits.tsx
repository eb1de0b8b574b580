import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { SuspectCommit } from '#server/console/issues/views.ts'
import type { IssueSummary, Person } from '#server/store/issues/records.ts'

interface SuspectCommitsProps {
  issue: Pick<IssueSummary, 'id' | 'assignee' | 'firstRelease'>
  suspects: readonly SuspectCommit[]
  people: readonly Person[]
  action: FormAction | undefined
}

/**
 * The commits that may have caused the issue. Renders nothing if there are none. With an action, the issue
 * can be assigned to their authors.
 */
export function SuspectCommits({ issue, suspects, people, action }: SuspectCommitsProps) {
  if (suspects.length === 0) return null
  return (
    <Panel id="suspect-commits" title="Suspect commits">
      <ul className="similar-issues">
        {suspects.map((commit) => (
          <li key={commit.id}>
            <span>
              <CommitHash commit={commit} /> <bdi>{commit.subject}</bdi>
            </span>
            <span className="quiet">
              {commit.authorName === undefined ? null : (
                <>
                  <bdi>{commit.authorName}</bdi>
                  {' · '}
                </>
              )}
              {commit.committedAt === undefined ? null : (
                <>
                  <Time at={commit.committedAt} />
                  {' · '}
                </>
              )}
              changed{' '}
              <code>
                <bdi>{commit.path}</bdi>
              </code>
            </span>
            <AssignToAuthor issue={issue} commit={commit} people={people} action={action} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function CommitHash({ commit: { id, url } }: { commit: SuspectCommit }) {
  const hash = <code>{id.slice(0, 12)}</code>
  return url === undefined ? hash : <a href={url}>{hash}</a>
}

interface AssignToAuthorProps {
  issue: Pick<IssueSummary, 'id' | 'assignee'>
  commit: SuspectCommit
  people: readonly Person[]
  action: FormAction | undefined
}

function AssignToAuthor({ issue, commit: { author }, people, action }: AssignToAuthorProps) {
  const user = people.find(({ userId }) => userId === author?.userId)
  if (action === undefined || user === undefined || issue.assignee?.userId === user.userId) return null
  return (
    <ActionForm action={action} label="Assign to the author">
      <input type="hidden" name="issueIds" value={issue.id} />
      <button type="submit" className="button" name="assignee" value={user.userId}>
        Assign to <bdi>{user.name}</bdi>
      </button>
    </ActionForm>
  )
}
