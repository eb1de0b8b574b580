import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
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

/** The tracker of “Create issue”, and the webhook that reports changes of linked issues. */
export function IssueTrackerPanel({
  view: { issueTracker, marks, canConfigure },
}: {
  view: ProjectSourceMapsView
}) {
  const form = useForm('tracker', { mark: marks.issueTracker })
  const { kind, url, jiraProject, jiraType, jiraEmail, hasToken, hasWebhookSecret, resolvesHere, webhook } =
    issueTracker
  return (
    <Panel id="tracker" title="Issue tracker" note="The tracker that “Create issue” opens">
      <Form form={form} isDisabled={!canConfigure} submitLabel="Save tracker">
        <SelectField label="Tracker" name="kind" choices={kinds} defaultValue={kind} />
        <Field
          label="URL"
          name="url"
          type="url"
          defaultValue={url}
          placeholder="https://acme.atlassian.net"
          hint="The repository, the Jira site, or the Linear team. Leave empty for the repository above."
        />
        <div className="jira-fields">
          <Field
            label="Jira project"
            name="jiraProject"
            inputMode="numeric"
            defaultValue={jiraProject}
            hint="Numeric ID: pid in the URL of the project’s settings."
          />
          <Field
            label="Jira issue type"
            name="jiraType"
            inputMode="numeric"
            defaultValue={jiraType}
            hint="Numeric ID. Leave empty to select it in Jira."
          />
          <Field
            label="Jira account"
            name="jiraEmail"
            type="email"
            autoComplete="off"
            defaultValue={jiraEmail}
            hint="Jira Cloud: the email address of the API token’s account. Jira Data Center: leave empty."
          />
        </div>
        <Field
          label="Token"
          name="token"
          type="password"
          autoComplete="off"
          hint={
            hasToken
              ? 'A token is stored encrypted. Leave empty to keep it.'
              : 'GitHub (issues: write), GitLab (api), Jira or Linear (API key). Without a token, issues are created in the tracker’s form.'
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
                ? 'A secret is stored encrypted. Leave empty to keep it.'
                : 'Shown by Linear when you create the webhook. Other trackers use the secret below.'
            }
          />
        </div>
        <CheckField
          label="Resolve the issue when it is closed in the tracker"
          name="resolvesHere"
          isOn={resolvesHere}
        />
      </Form>
      {webhook === undefined ? null : (
        <Disclosure summary="Webhook">
          <p className="panel-text">
            Add a webhook to the repository, for the event “Issues”, with content type application/json; in
            Jira, an administrator adds it for the event “Issue: updated”, in Linear for “Issues”. Linked
            issues then show whether they are closed. Linear generates the secret: enter it above.
          </p>
          <CodeBlock label="URL" code={webhook.url} />
          <CodeBlock label="Secret" code={webhook.secret} />
        </Disclosure>
      )}
    </Panel>
  )
}
