import { Link } from '@tanstack/react-router'
import { sourceMapSteps } from '#components/project/source-map-snippets.ts'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { byteText, countedNoun } from '#components/ui/number-text.ts'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectSourceMapsView } from '#server/console/project-settings/views.ts'
import { ProjectSettings } from './project-settings.tsx'
import { SourceMapUpload } from './source-map-upload.tsx'

/** The `/projects/$slug/source-maps` screen: what was uploaded, and how to upload more. */
export function SourceMapsPage({ view }: { view: ProjectSourceMapsView }) {
  const { bundles, usage, limitBytes, unusedDays, release, project } = view
  return (
    <ProjectSettings view={view}>
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
              ? 'Nothing was uploaded yet: minified code shows as it is.'
              : 'Nothing was uploaded under this release. Maps with debug ids need none.'}
          </p>
        ) : (
          <ul className="source-map-uploads">
            {bundles.map((bundle) => (
              <SourceMapUpload
                key={bundle.id}
                bundle={bundle}
                projectSlug={project.slug}
                mayConfigure={view.mayConfigure}
              />
            ))}
          </ul>
        )}
        <p className="panel-text quiet">
          An upload goes {unusedDays} days after an event was shown or grouped with it last, and the oldest go
          when the project’s are more than {byteText(limitBytes)}.
        </p>
      </Panel>
      <UploadHelp view={view} />
    </ProjectSettings>
  )
}

function UploadHelp({ view: { origin, organizationSlug, project } }: { view: ProjectSourceMapsView }) {
  const steps = sourceMapSteps({ origin, organizationSlug, projectSlug: project.slug })
  return (
    <Panel id="upload" title="Upload them with each build" note="sentry-cli, or a bundler’s plugin">
      <p className="panel-text">
        Create a token with the scope <code>project:releases</code> under{' '}
        <Link to="/settings/tokens">API tokens</Link>. <code>inject</code> writes a debug id into code and
        map, by which they find each other whatever the address and the release; bring that code out, and
        leave the maps at home.
      </p>
      {steps.map(({ label, code }) => (
        <CodeBlock key={label} label={label} code={code} />
      ))}
    </Panel>
  )
}
