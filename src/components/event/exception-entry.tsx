import { StackTracePanel } from '#components/stack-trace/stack-trace.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import type { ExceptionValue, Mechanism } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import { ExceptionText } from './exception-value.tsx'
import { MechanismMarks } from './mechanism-marks.tsx'
import { ObjectList } from './object-list.tsx'

interface ExceptionEntryProps {
  exception: ExceptionValue
  /** Its relation to the exception above it. */
  relation: string | undefined
  /** False if the page's heading already shows type and value. */
  isTitled: boolean
  /** True if it is not part of a chain. */
  isAlone: boolean
  openCount: number
  /** True if all frames are expanded. */
  isFull: boolean
}

/** One exception: type, value, mechanism and stack trace. */
export function ExceptionEntry({
  exception,
  relation,
  isTitled,
  isAlone,
  openCount,
  isFull,
}: ExceptionEntryProps) {
  const { value, mechanism, stackTrace } = exception
  const hasFrames = stackTrace !== undefined && stackTrace.frames.length > 0
  return (
    <section className="exception">
      {isTitled ? (
        <div className="exception-line">
          {relation === undefined ? null : <p className="exception-cause">{relation}</p>}
          <ExceptionName exception={exception} />
          {value === undefined ? null : <ExceptionText text={value} />}
          <MechanismMarks mechanism={mechanism} />
          {hasFrames || isAlone ? null : <p className="quiet">no stack trace</p>}
        </div>
      ) : (
        <ExceptionName exception={exception} isHidden />
      )}
      {hasFrames ? <StackTracePanel trace={stackTrace} openCount={openCount} isFull={isFull} /> : null}
      {hasFrames || !isAlone ? null : <p className="quiet">The SDK sent no stack trace.</p>}
      <MechanismData mechanism={mechanism} />
    </section>
  )
}

/** What the SDK or the platform reports about the capture: a signal, a handler, a component. */
function MechanismData({ mechanism }: { mechanism: Mechanism | undefined }) {
  const { type, description, data, meta } = mechanism ?? {}
  const details: JsonObject = { ...(description !== undefined && { description }), ...data, ...meta }
  if (Object.keys(details).length === 0) return null
  return (
    <Disclosure
      summary={
        <>
          Mechanism <bdi className="mono">{type}</bdi>
        </>
      }
    >
      <ObjectList object={details} />
    </Disclosure>
  )
}

function ExceptionName({
  exception: { type, module, value },
  isHidden = false,
}: {
  exception: ExceptionValue
  isHidden?: boolean
}) {
  return (
    <h3 className={isHidden ? 'visually-hidden' : undefined}>
      <bdi>{type ?? 'Exception without a type'}</bdi>
      {module === undefined ? null : <bdi className="exception-module">{module}</bdi>}
      {isHidden ? <bdi>: {value}</bdi> : null}
    </h3>
  )
}
