/**
 * Times of pages with forms that post to themselves: what they show is true for one document only. On the server it is kept
 * as long as the request lasts, or the page would be read once by its loader and once more while it is rendered.
 */
export const postedPageTimes = { staleTime: 0, gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : 0 }
