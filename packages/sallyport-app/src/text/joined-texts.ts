type Texts = Readonly<Record<string, string>>

/**
 * Joins the messages of several subjects.
 *
 * @param subjects Messages by their identifiers.
 * @returns All of them.
 * @throws {Error} If two subjects have a message of the same identifier.
 */
export function joinedTexts(subjects: readonly Texts[]): Texts {
  const joined: Record<string, string> = {}
  for (const [id, text] of subjects.flatMap((texts) => Object.entries(texts))) {
    if (Object.hasOwn(joined, id)) throw new Error(`Cannot use the messages: "${id}" is there twice`)
    joined[id] = text
  }
  return joined
}
