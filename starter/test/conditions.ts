/** What a process of its own is started with, so that it has the same framework as this one: its sources in a checkout, the package in a copy. */
export const CONDITIONS: readonly string[] = import.meta.resolve('sallyport').endsWith('.ts')
  ? ['--conditions=sallyport-source']
  : []

const { PATH = '', NODE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env

/** What such a process keeps of the environment of the tests: nothing that the application reads. */
export const INHERITED: Readonly<Record<string, string>> = {
  PATH,
  // Otherwise it would strip the types of all files again: most of the time of its start.
  ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
  ...(NODE_V8_COVERAGE !== undefined && { NODE_V8_COVERAGE }),
}
