import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { byteText, countedNoun } from '#numbers/number-text.ts'
import type { ArtifactBundle } from '#server/store/artifacts/records.ts'

interface SourceMapUploadProps {
  bundle: ArtifactBundle
  projectSlug: string
  canConfigure: boolean
}

/** One upload: time, release, files, and the button to delete it. */
export function SourceMapUpload({ bundle, projectSlug, canConfigure }: SourceMapUploadProps) {
  const { id, release, dist, uploadedAt, usedAt, fileCount, storedBytes, files } = bundle
  const remove = useForm('delete', { of: { bundle: id } })
  return (
    <li className="source-map-upload">
      <header>
        <h3>
          <Time at={uploadedAt} />
        </h3>
        <span className="quiet">
          {release === undefined ? (
            'no release'
          ) : (
            <Link to="/releases/$version" params={{ version: release }} search={{ project: projectSlug }}>
              <bdi>{release}</bdi>
            </Link>
          )}
          {dist === undefined ? null : (
            <>
              {', dist '}
              <bdi>{dist}</bdi>
            </>
          )}
        </span>
        <span className="quiet">{byteText(storedBytes)}</span>
        <span className="quiet">
          {usedAt === undefined ? (
            'not used yet'
          ) : (
            <>
              used <Time at={usedAt} />
            </>
          )}
        </span>
        {canConfigure ? (
          <ConfirmedForm
            form={remove}
            verb="Delete"
            subject={`upload of ${release ?? 'no release'}`}
            warning="Stack traces of its build show the minified code again, until the files are uploaded once more."
          />
        ) : null}
      </header>
      <Disclosure summary={countedNoun(fileCount, 'file')}>
        <ul className="source-map-files">
          {files.map((file, index) => (
            <li key={index}>
              <bdi>
                <code>{file.url}</code>
              </bdi>
              <span className="quiet">{kindNames[file.kind] ?? file.kind}</span>
              <span className="quiet">{byteText(file.byteCount)}</span>
              {file.debugId === undefined ? null : <code className="quiet">{file.debugId}</code>}
            </li>
          ))}
        </ul>
        {fileCount > files.length ? <p className="quiet">and {fileCount - files.length} more</p> : null}
      </Disclosure>
    </li>
  )
}

const kindNames: Partial<Record<string, string>> = {
  source_map: 'source map',
  minified_source: 'code, listed only',
  source: 'source, listed only',
}
