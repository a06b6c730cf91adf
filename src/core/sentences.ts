/**
 * The sentences of `sentence()`, in the package as it is built. In the sources they stand where they are used.
 *
 * @module
 */

/** The strings of each sentence, by its number. */
export type Sentences = readonly (readonly string[])[]

/** The build that they belong to. */
export const edition = 'sources'

export const sentences: Sentences = []
