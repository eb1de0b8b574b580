import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectSourceMapsView } from '#server/console/project-settings/views.ts'

const kinds = [
  { value: 'repository', label: 'The repository above' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'jira', label: 'Jira' },
  { value: 'linear', label: 'Linear' },
  { value: 'none', label: 'None' },
]

/** Where “Create issue” on an issue leads to, and the webhook that reports what becomes of it. */
export function IssueTrackerPanel({
  view: { issueTracker, marks, mayConfigure },
}: {
  view: ProjectSourceMapsView
}) {
  const form = useForm('tracker', { mark: marks.issueTracker })
  const { kind, url, jiraProject, jiraType, jiraEmail, hasToken, hasWebhookSecret, resolvesHere, webhook } =
    issueTracker
  return (
    <Panel id="tracker" title="Issue tracker" note="Where “Create issue” on an issue leads to">
      <Form form={form} isDisabled={!mayConfigure} submitLabel="Save tracker">
        <SelectField label="Tracker" name="kind" choices={kinds} defaultValue={kind} />
        <Field
          label="Address"
          name="url"
          type="url"
          defaultValue={url}
          placeholder="https://acme.atlassian.net"
          hint="The repository, the Jira site, or the Linear team. Empty: the repository above."
        />
        <div className="jira-fields">
          <Field
            label="Jira project"
            name="jiraProject"
            inputMode="numeric"
            defaultValue={jiraProject}
            hint="Its number, which is pid in the address of its settings."
          />
          <Field
            label="Jira issue type"
            name="jiraType"
            inputMode="numeric"
            defaultValue={jiraType}
            hint="Its number. Empty: Jira prompts for it."
          />
          <Field
            label="Jira account"
            name="jiraEmail"
            type="email"
            autoComplete="off"
            defaultValue={jiraEmail}
            hint="Jira Cloud: the e-mail address of the account of the API token. Empty: a personal access token of Jira Data Center."
          />
        </div>
        <Field
          label="Token"
          name="token"
          type="password"
          autoComplete="off"
          hint={
            hasToken
              ? 'A token is stored, encrypted. Empty: it stays.'
              : 'GitHub (issues: write), GitLab (api), Jira or Linear (API key). Issues are then created at once. Empty: by the form there.'
          }
        />
        {hasToken ? <CheckField label="Delete the stored token" name="removesToken" isOn={false} /> : null}
        <div className="linear-fields">
          <Field
            label="Linear webhook secret"
            name="webhookSecret"
            type="password"
            autoComplete="off"
            hint={
              hasWebhookSecret
                ? 'A secret is stored, encrypted. Empty: it stays.'
                : 'Linear shows it when you create the webhook. The other trackers get the secret below.'
            }
          />
        </div>
        <CheckField
          label="Resolve here when the issue is closed there"
          name="resolvesHere"
          isOn={resolvesHere}
        />
      </Form>
      {webhook === undefined ? null : (
        <details className="key-edit">
          <summary>Webhook</summary>
          <p className="panel-text">
            Add a webhook to the repository, for the event “Issues”, with content type application/json; in
            Jira, an administrator adds it for the event “Issue: updated”, in Linear for “Issues”. Linked
            issues then show whether they are closed. Linear generates the secret: enter it above.
          </p>
          <CodeBlock label="Address" code={webhook.url} />
          <CodeBlock label="Secret" code={webhook.secret} />
        </details>
      )}
    </Panel>
  )
}
