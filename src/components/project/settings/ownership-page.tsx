import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { OwnerName } from '#components/issue/owner-name.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectOwnershipView } from '#server/console/project-settings/views.ts'
import type { OwnershipTrialResult } from '#server/forms/result-views.ts'
import { ProjectSettingsLayout } from './project-settings.tsx'
import { TryOut } from './try-out.tsx'

/** The `/projects/$slug/ownership` screen: ownership rules, and a test on an event. */
export function OwnershipPage({ view }: { view: ProjectOwnershipView }) {
  const form = useForm('save', { also: ['try'], mark: view.marks.ownership })
  const { rules, codeOwners, isAutoAssigned } = view.ownership
  return (
    <ProjectSettingsLayout view={view}>
      <Panel id="ownership" title="Ownership" note="Determines the owners of an issue from its stack trace">
        <Form form={form} isDisabled={!view.canConfigure} submitLabel="Save ownership">
          <TextAreaField
            label="Ownership rules"
            name="rules"
            rows={6}
            wrap="off"
            placeholder={
              'path:src/cart/* ada@example.com\nurl:https://shop.example/admin/* bo@example.com #operations\ntags.region:eu ada@example.com'
            }
            defaultValue={rules}
            hint="Sentry syntax: path:, module:, url: or tags.NAME:, a pattern, and owners. The last match wins, and overrides CODEOWNERS."
          />
          <TextAreaField
            label="CODEOWNERS"
            name="codeOwners"
            rows={8}
            wrap="off"
            placeholder={'* @ada\n/packages/shop/ bo@example.com'}
            defaultValue={codeOwners}
            hint={
              view.hasRoots
                ? 'Paste the file of GitHub or GitLab.'
                : 'Paste the file of GitHub or GitLab. Absolute paths of frames need the paths under Source code.'
            }
          />
          <CheckField
            label="Assign new issues to their first owner"
            name="isAutoAssigned"
            isOn={isAutoAssigned}
          />
          {view.canConfigure ? <TryOut /> : null}
        </Form>
      </Panel>
      <div role="status">
        {form.shown?.kind === 'ownership-trial' ? <TrialPanel trial={form.shown.trial} /> : null}
      </div>
    </ProjectSettingsLayout>
  )
}

function TrialPanel({ trial: { eventId, paths, owners, rule } }: { trial: OwnershipTrialResult }) {
  const link = (
    <Link to="/events/$eventId" params={{ eventId }}>
      Event {eventId.slice(0, 12)}
    </Link>
  )
  return (
    <Panel id="trial" title="Result" note={link}>
      <DefinitionList
        items={[
          {
            term: 'Owners',
            description:
              owners.length === 0
                ? 'None'
                : owners.map((owner, index) => (
                    <span key={owner.name}>
                      {index === 0 ? '' : ', '}
                      <OwnerName owner={owner} />
                    </span>
                  )),
          },
          {
            term: 'Line',
            description:
              rule === undefined ? (
                'No match'
              ) : (
                <>
                  {rule.source === 'rules' ? 'Rules' : 'CODEOWNERS'}, line {rule.line}:{' '}
                  <code>
                    <bdi>{rule.text}</bdi>
                  </code>
                </>
              ),
          },
          {
            term: 'Paths',
            description: paths.length === 0 ? 'No in-app frames' : <code>{paths.join('\n')}</code>,
          },
        ]}
      />
    </Panel>
  )
}
