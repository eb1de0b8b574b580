import * as v from 'valibot'

/** A release of one service of the shop in one environment, and when it ran. */
const deploymentSchema = v.object({
  service: v.picklist(['api', 'worker', 'web']),
  release: v.string(),
  environment: v.picklist(['production', 'staging']),
  hours: v.object({ fromHoursAgo: v.number(), toHoursAgo: v.number() }),
})

export type Deployment = v.InferOutput<typeof deploymentSchema>
export type ServiceName = Deployment['service']

/** The last day of the shop, each service in the order of its deployments. */
export const deployments: readonly Deployment[] = [
  { service: 'api', release: 'api@2.3.0', environment: 'production', hours: hours(24, 14) },
  { service: 'api', release: 'api@2.4.0', environment: 'production', hours: hours(14, 5) },
  { service: 'api', release: 'api@2.4.1', environment: 'staging', hours: hours(8, 0) },
  { service: 'api', release: 'api@2.4.1', environment: 'production', hours: hours(5, 0) },
  { service: 'worker', release: 'worker@1.9.0', environment: 'production', hours: hours(24, 9) },
  { service: 'worker', release: 'worker@1.10.0', environment: 'production', hours: hours(9, 0) },
  { service: 'web', release: 'web@1.4.0', environment: 'production', hours: hours(24, 18) },
  { service: 'web', release: 'web@1.5.0', environment: 'production', hours: hours(18, 9) },
  { service: 'web', release: 'web@1.6.2', environment: 'staging', hours: hours(10, 0) },
  { service: 'web', release: 'web@1.6.0', environment: 'production', hours: hours(9, 4) },
  { service: 'web', release: 'web@1.6.2', environment: 'production', hours: hours(4, 0) },
]

/** Parses a deployment from the JSON that the demo passes to a child process. Throws on anything else. */
export function parseDeployment(json: string): Deployment {
  return v.parse(deploymentSchema, JSON.parse(json))
}

function hours(fromHoursAgo: number, toHoursAgo: number): Deployment['hours'] {
  return { fromHoursAgo, toHoursAgo }
}
