/** True if the tests run on PostgreSQL. */
export const onPostgres = process.env['CULVERT_TEST_POSTGRES'] !== undefined
