/** What a process of its own is started with, so that it has the same framework as this one: its sources in a checkout, the package in a copy. */
export const CONDITIONS: readonly string[] = import.meta.resolve('sallyport').endsWith('.ts')
  ? ['--conditions=sallyport-source']
  : []
