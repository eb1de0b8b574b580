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
  const isMonitor = type === 'monitor'
  const text = isMonitor ? `${level}, monitor` : level
  return (
    <span
      className="level"
      data-level={level}
      data-type={isMonitor ? type : undefined}
      title={isNamed ? undefined : text}
    >
      <span className={isNamed ? undefined : 'visually-hidden'}>{text}</span>
    </span>
  )
}
