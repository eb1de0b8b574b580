import { findUnavailability } from '#server/store/errors.ts'

/** The name, help text and label names of a metric. */
export interface MetricDefinition {
  /** `culvert_items_total`, by Prometheus's naming rules. */
  name: string
  help: string
  labels?: readonly string[]
}

/** A value with its label values, in the order of the labels. */
export interface Sample {
  labels?: readonly string[]
  value: number
}

export interface Counter {
  /** Adds to the series with these label values. */
  add(quantity: number, labels?: readonly string[]): void
}

export interface Histogram {
  observe(value: number): void
}

/** The metrics of the process, for Prometheus. */
export interface Metrics {
  counter(definition: MetricDefinition): Counter
  /** Read at each scrape. Has no values while the store that it reads is unavailable. */
  gauge(definition: MetricDefinition, read: () => readonly Sample[]): void
  /** A counter of another module, read at each scrape like a gauge. */
  total(definition: MetricDefinition, read: () => readonly Sample[]): void
  /** `buckets` are upper bounds, lowest first. */
  histogram(definition: MetricDefinition & { buckets: readonly number[] }): Histogram
  /** All metrics in Prometheus's text format 0.0.4. */
  render(): string
}

/** Maximum number of series per counter; further ones are counted together. Labels may be from clients. */
const seriesPerCounter = 500
const surplusLabel = 'other'

/** Creates an empty registry. Register each name only once. */
export function createMetrics(): Metrics {
  const parts: (() => string)[] = []
  return {
    counter(definition) {
      const series = new Map<string, { labels: readonly string[]; value: number }>()
      parts.push(() => describe(definition, 'counter') + lines(definition, [...series.values()]))
      const addSeries = (given: readonly string[], quantity: number) => {
        const labels = series.size < seriesPerCounter ? [...given] : given.map(() => surplusLabel)
        const value = (series.get(labels.join('\0'))?.value ?? 0) + quantity
        series.set(labels.join('\0'), { labels, value })
      }
      return {
        add(quantity, given = []) {
          const known = series.get(given.join('\0'))
          if (known) known.value += quantity
          else addSeries(given, quantity)
        },
      }
    },
    gauge(definition, read) {
      parts.push(() => describe(definition, 'gauge') + lines(definition, readAvailable(read)))
    },
    total(definition, read) {
      parts.push(() => describe(definition, 'counter') + lines(definition, readAvailable(read)))
    },
    histogram(definition) {
      const histogram = createHistogram(definition.buckets)
      parts.push(() => describe(definition, 'histogram') + histogram.lines(definition))
      return histogram
    },
    render: () => parts.map((part) => part()).join(''),
  }
}

/** The metrics of the process are needed most when the database has failed. */
function readAvailable(read: () => readonly Sample[]): readonly Sample[] {
  try {
    return read()
  } catch (error) {
    if (findUnavailability(error)) return []
    throw error
  }
}

function createHistogram(buckets: readonly number[]) {
  const counts = Array.from({ length: buckets.length + 1 }, () => 0)
  let sum = 0
  return {
    observe(value: number) {
      const at = buckets.findIndex((bound) => value <= bound)
      const index = at === -1 ? buckets.length : at
      counts[index] = (counts[index] ?? 0) + 1
      sum += value
    },
    lines({ name }: MetricDefinition): string {
      let total = 0
      const bounds = [...buckets.map(String), '+Inf'].map((bound, index) => {
        total += counts[index] ?? 0
        return `${name}_bucket{le="${bound}"} ${total}\n`
      })
      return `${bounds.join('')}${name}_sum ${sum}\n${name}_count ${total}\n`
    },
  }
}

function describe({ name, help }: MetricDefinition, type: string): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
}

function lines({ name, labels: names = [] }: MetricDefinition, samples: readonly Sample[]): string {
  return samples
    .map(({ labels = [], value }) => {
      const pairs = names.map((label, index) => `${label}="${escapeLabel(labels[index] ?? '')}"`)
      return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
    })
    .join('')
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}
