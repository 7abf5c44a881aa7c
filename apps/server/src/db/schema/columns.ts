/** Types of columns that several tables have. */

export type Flag = 0 | 1;
export type AccountKindColumn = 'parent' | 'admin';
/** What a session was opened with: a password alone, with a mailed code, or with a second factor. */
export type SessionFactor = 'password' | 'mail' | 'second' | 'desk';
