import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { sourceMapSteps } from '#components/project/source-map-snippets.ts'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { byteText, countedNoun } from '#numbers/number-text.ts'
import type { ProjectSourceMapsView } from '#server/console/project-settings/views.ts'
import { IssueTrackerPanel } from './issue-tracker-panel.tsx'
import { ProjectSettingsLayout } from './project-settings.tsx'
import { SourceMapUpload } from './source-map-upload.tsx'

/** The `/projects/$slug/source-maps` screen: the code host, the uploads, and how to upload. */
export function SourceMapsPage({ view }: { view: ProjectSourceMapsView }) {
  const { bundles, usage, limitBytes, unusedDays, release, project } = view
  return (
    <ProjectSettingsLayout view={view}>
      <SourceLinksPanel view={view} />
      <IssueTrackerPanel view={view} />
      <Panel
        id="uploads"
        title={release === undefined ? 'Uploads' : `Uploads of ${release}`}
        note={`${byteText(usage.storedBytes)} of ${byteText(limitBytes)} in ${countedNoun(usage.bundleCount, 'upload')}`}
      >
        {release === undefined ? null : (
          <p className="panel-text">
            <Link to="/projects/$slug/source-maps" params={{ slug: project.slug }} search={{}}>
              All uploads of the project
            </Link>
          </p>
        )}
        {bundles.length === 0 ? (
          <p className="quiet">
            {release === undefined
              ? 'No uploads yet. Upload source maps to see original code.'
              : 'No uploads for this release. Source maps with debug IDs do not need a release.'}
          </p>
        ) : (
          <ul className="source-map-uploads">
            {bundles.map((bundle) => (
              <SourceMapUpload
                key={bundle.id}
                bundle={bundle}
                projectSlug={project.slug}
                canConfigure={view.canConfigure}
              />
            ))}
          </ul>
        )}
        <p className="panel-text quiet">
          Uploads are deleted {unusedDays} days after their last use. The oldest are also deleted when the
          project’s uploads exceed {byteText(limitBytes)}.
        </p>
      </Panel>
      <UploadHelp view={view} />
    </ProjectSettingsLayout>
  )
}

const hosts = [
  { value: '', label: 'Detected from the URL' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'gitea', label: 'Gitea or Forgejo' },
  { value: 'bitbucket', label: 'Bitbucket' },
]

function SourceLinksPanel({ view: { sourceLinks, marks, canConfigure } }: { view: ProjectSourceMapsView }) {
  const form = useForm('links', { mark: marks.sourceLinks })
  const { repository, host, branch, roots } = sourceLinks
  return (
    <Panel id="links" title="Source links" note="Link in-app frames to their line in the code host">
      <Form form={form} isDisabled={!canConfigure} submitLabel="Save links">
        <Field
          label="Repository"
          name="repository"
          type="url"
          defaultValue={repository}
          placeholder="https://github.com/acme/shop"
          hint="URL of the repository. Leave empty for no links."
        />
        <SelectField label="Code host" name="host" choices={hosts} defaultValue={host} />
        <Field
          label="Branch"
          name="branch"
          defaultValue={branch}
          hint="For events whose release has no commit."
        />
        <TextAreaField
          label="Paths"
          name="roots"
          rows={3}
          wrap="off"
          placeholder={'/app/src/cart.ts = packages/shop/src/cart.ts'}
          defaultValue={roots.join('\n')}
          hint="One per line: the path of a frame, =, and the path of the same file in the repository, or the URL of its page. Relative paths need no line."
        />
      </Form>
    </Panel>
  )
}

function UploadHelp({ view: { origin, organizationSlug, project } }: { view: ProjectSourceMapsView }) {
  const steps = sourceMapSteps({ origin, organizationSlug, projectSlug: project.slug })
  return (
    <Panel id="upload" title="Upload them with each build" note="sentry-cli, or a bundler’s plugin">
      <p className="panel-text">
        Create a token with the scope <code>project:releases</code> under{' '}
        <Link to="/settings/tokens">API tokens</Link>. <code>inject</code> writes a debug ID into code and
        map, which links them independently of URL and release. Deploy the code without the maps.
      </p>
      {steps.map(({ label, code }) => (
        <CodeBlock key={label} label={label} code={code} />
      ))}
    </Panel>
  )
}
