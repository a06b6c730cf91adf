/** What reads forms part by part, loaded when the first one arrives. @module */
import { Form, MultipartReader } from '../input/internal.ts'

export { MultipartReader }

/**
 * @param parts A form that is read part by part.
 * @returns A form of the strings before its first file.
 */
export async function leadingForm(parts: MultipartReader): Promise<Form> {
  await parts.nextFile()
  return new Form(parts.fields)
}

/**
 * @param parts The same.
 * @returns The whole form.
 */
export async function wholeForm(parts: MultipartReader): Promise<Form> {
  return new Form(await parts.whole())
}
