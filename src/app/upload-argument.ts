import type { FileStorage } from '../input/index.ts'
import { Form } from '../input/index.ts'
import { isMultipart, type MultipartReader, releaseFiles } from '../input/internal.ts'
import type { Route } from '../routing/index.ts'
import type { UploadPlan } from '../routing/internal.ts'
import { type ArgumentRequest, submitted } from './action-argument.ts'
import { hasNoBody } from './has-no-body.ts'

/** What an action with files receives, and what is to be done when it has ended. */
export interface UploadArgument {
  /** The argument. */
  readonly argument: unknown
  /** Removes the files that the action has not kept. */
  readonly release: () => Promise<void>
}

/**
 * Reads a form with files: the files go to the storage, the other fields to the schema. Of a form that is refused no file is
 * left, because a page cannot fill a file input, and the files come again with the form.
 *
 * @param route The route.
 * @param plan How the files are read.
 * @param request The context of the request, the services and the storage.
 * @returns The argument of the action.
 * @throws {InputException} If the body cannot be read.
 * @throws {PayloadTooLargeException} If the form is over a limit.
 */
export async function uploadArgument(
  route: Route,
  { read, rules, accept }: UploadPlan,
  request: ArgumentRequest & { readonly storage: FileStorage },
): Promise<UploadArgument> {
  const { context, storage } = request
  const isForm = !hasNoBody(context.source()) && isMultipart(context.header('content-type'))
  const parts = isForm ? await context.formParts() : null
  const { files, violations } = await read(parts, rules, storage)
  const release = (): Promise<void> => releaseFiles(files)
  try {
    const form = await submitted(route, await formOf(parts, request), request)
    if (form.ok && violations.length === 0) return { argument: accept(form, files), release }
    await release()
    const found = form.ok ? violations : [...form.violations, ...violations]
    return { argument: form.refuse(...found), release }
  } catch (error) {
    await release()
    throw error
  }
}

function formOf(
  parts: MultipartReader | null,
  { context }: ArgumentRequest,
): Form | null | Promise<Form | null> {
  if (parts !== null) return new Form(parts.fields)
  return hasNoBody(context.source()) ? null : context.readForm()
}
