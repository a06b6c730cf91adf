/** A value that JSON can write and read back unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
