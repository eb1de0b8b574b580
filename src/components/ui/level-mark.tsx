import type { EventType, Level } from '#protocol/event.ts'

/**
 * The severity as a shape and a colour, with the word for assistive technology or for all. An issue of a
 * monitor has a shape of its own.
 */
export function LevelMark({
  level,
  type,
  isNamed = false,
}: {
  level: Level
  type?: EventType
  isNamed?: boolean
}) {
  const ofMonitor = type === 'monitor' || type === 'uptime' ? type : undefined
  const text = ofMonitor === undefined ? level : `${level}, ${ofMonitor}`
  return (
    <span className="level" data-level={level} data-type={ofMonitor} title={isNamed ? undefined : text}>
      <span className={isNamed ? undefined : 'visually-hidden'}>{text}</span>
    </span>
  )
}
