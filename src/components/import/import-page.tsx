import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { SettingsHeader } from '#components/settings/settings-header.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { ImportJobView, ImportView } from '#server/console/imports/views.ts'
import { ComparedIssues } from './compared-issues.tsx'
import { CutOver } from './cut-over.tsx'

/** The `/settings/import` screen: imports projects and issues from another tracker. */
export function ImportPage({ view }: { view: ImportView }) {
  const { canImport, isServerless, job, cutOver, compared } = view
  const isIdle = job === undefined || job.state === 'done'
  // The checklist is a guide before the first import, and the next task after it.
  const hasBegun = cutOver !== undefined && cutOver.projectCount > 0
  return (
    <NowProvider now={view.now}>
      <SettingsHeader
        title="Import"
        description="Projects with their ids and keys, settings, members and issues of Sentry, GlitchTip or Bugsink. DSNs keep working."
        canConfigure={canImport}
      />
      {canImport ? (
        <p className="quiet import-guide">
          What is imported, and how to move without losing events:{' '}
          <Link to="/docs/$guide" params={{ guide: 'moving' }}>
            Moving to Culvert
          </Link>
          .
        </p>
      ) : null}
      {canImport ? null : <p className="quiet">Only admins and owners can import.</p>}
      {canImport && isServerless ? (
        <p className="quiet">This host has no background jobs. Use the command line.</p>
      ) : null}
      {job === undefined ? null : <JobPanel job={job} />}
      {cutOver !== undefined && hasBegun ? <CutOver cutOver={cutOver} /> : null}
      {canImport && isIdle && !isServerless ? (
        <>
          <TrackerPanel />
          <BackupPanel />
        </>
      ) : null}
      {cutOver !== undefined && !hasBegun ? <CutOver cutOver={cutOver} /> : null}
      {compared.length === 0 ? null : <ComparedIssues issues={compared} />}
    </NowProvider>
  )
}

const stateTexts: Record<ImportJobView['state'], string> = {
  reading: 'Reading',
  read: 'Ready: nothing is changed yet',
  running: 'Importing',
  done: 'Done',
  failed: 'Failed',
}

function JobPanel({ job }: { job: ImportJobView }) {
  const { state, isAtWork, isInterrupted, source, report, share, progress, problem, results } = job
  const apply = useForm('apply')
  const discard = useForm('discard')
  const canContinue = state === 'failed' || isInterrupted
  return (
    <Panel id="job" title={isInterrupted ? 'Interrupted' : stateTexts[state]} note={source}>
      {isAtWork ? (
        <p className="panel-text" role="status">
          <progress aria-label="Progress of the import" value={state === 'running' ? share : undefined} />{' '}
          {progress === '' ? 'Working …' : progress} <Link to="/settings/import">Refresh</Link>
        </p>
      ) : null}
      {problem === '' ? null : (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {results.length === 0 ? null : (
        <ul className="similar-issues">
          {results.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      )}
      {state === 'done' ? (
        <p className="panel-text">
          Next: the <a href="#cut-over">steps of the cut-over</a>.
        </p>
      ) : null}
      {report === '' ? null : <CodeBlock label="Report" code={report} />}
      <div className="import-buttons">
        {state === 'read' || canContinue ? (
          <Form form={apply} submitLabel={canContinue ? 'Continue' : 'Import'} />
        ) : null}
        {isAtWork ? null : (
          <Form form={discard} submitLabel={state === 'done' ? 'Close' : 'Discard'} tone="plain" />
        )}
      </div>
    </Panel>
  )
}

const trackers = [
  { value: 'sentry', label: 'Sentry' },
  { value: 'glitchtip', label: 'GlitchTip' },
  { value: 'bugsink', label: 'Bugsink' },
]

function TrackerPanel() {
  const form = useForm('read')
  return (
    <Panel id="tracker" title="From a running tracker" note="Also issues, events, comments and releases">
      <Form form={form} submitLabel="Create report">
        <SelectField label="Tracker" name="tracker" choices={trackers} defaultValue="sentry" />
        <Field label="URL" name="url" type="url" required placeholder="https://sentry.example.com" />
        <Field
          label="Token"
          name="token"
          type="password"
          autoComplete="off"
          required
          hint="Needs read access to organizations, projects, members and events. Stored encrypted until the import is closed."
        />
        <Field
          label="Organization"
          name="organization"
          hint="Slug. Leave empty for all that the token can read."
        />
        <Field
          label="Events per issue"
          name="eventCount"
          inputMode="numeric"
          placeholder="10"
          hint="The newest events, 1 to 100."
        />
      </Form>
    </Panel>
  )
}

/** Posted by the browser, with and without JavaScript, because page forms do not support files. */
function BackupPanel() {
  return (
    <Panel id="backup" title="From a backup of Sentry" note="Projects, keys, settings, rules and members">
      <form
        method="post"
        action="/settings/import/upload"
        encType="multipart/form-data"
        className="form"
        aria-label="From a backup of Sentry"
      >
        <fieldset>
          <div className="field">
            <label htmlFor="import-file">JSON file</label>
            <input id="import-file" name="file" type="file" accept="application/json,.json" required />
            <div className="field-hint">
              Of “sentry export organizations” or “sentry export global”, decrypted; up to 32 MB.
            </div>
          </div>
          <div className="field">
            <label htmlFor="import-file-organization">Organization</label>
            <input id="import-file-organization" name="organization" maxLength={100} autoComplete="off" />
            <div className="field-hint">Slug. Leave empty for all in the file.</div>
          </div>
          <button type="submit" className="button" data-tone="primary">
            Upload and create report
          </button>
        </fieldset>
      </form>
    </Panel>
  )
}
