import type { StandardSchema, Uploaded } from '../../input/index.ts'
import { assertOptions } from '../../core/internal.ts'
import { acceptUpload, readUpload, type UploadOptions, UploadRules } from '../../input/internal.ts'
import { FormParameter } from './form-parameter.ts'
import { noteUpload } from './upload-use.ts'

/**
 * The parameter that an action takes from a form with files, last in its signature and at most once. Files go to the storage
 * as they arrive, and are in memory at no time. The action keeps those that it wants; the others are removed. A form that
 * schema or rules refuse reaches the action too, which shows it again.
 *
 * @param schema Any Standard Schema, for the fields that are not files.
 * @param options `files`: the file fields and what they take. `maxTotalBytes`: largest length of all files together.
 * `storage`: class under which the storage is registered. `secret` and `shown` as for `form()`.
 * @returns The parameter; the action receives `Uploaded<typeof schema>`.
 * @throws {TypeError} If an option is unknown or has the wrong type.
 * @throws {RangeError} If a limit is not a whole number above 0, or no file is ever told to have a declared type.
 */
export function upload<S extends StandardSchema>(
  schema: S,
  options: UploadOptions,
): FormParameter<Uploaded<S>> {
  assertOptions(options, ['files', 'maxTotalBytes', 'storage', 'secret', 'shown'], 'upload()')
  const { secret, shown } = options
  noteUpload()
  const names = { ...(secret === undefined ? {} : { secret }), ...(shown === undefined ? {} : { shown }) }
  return new FormParameter(schema, names, {
    rules: new UploadRules(options),
    read: readUpload,
    accept: acceptUpload,
  })
}
