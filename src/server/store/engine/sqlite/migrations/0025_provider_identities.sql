-- An account has one identity at the identity provider. Of several, the first one that was connected stays.
DELETE FROM credentials
WHERE provider_id <> 'credential' AND EXISTS (
  SELECT 1 FROM credentials AS first
  WHERE first.user_id = credentials.user_id AND first.provider_id = credentials.provider_id
    AND (first.created_at, first.id) < (credentials.created_at, credentials.id)
);

CREATE UNIQUE INDEX credentials_identity ON credentials (user_id, provider_id) WHERE provider_id <> 'credential';

-- The provider's tokens open the provider's API, which Culvert never calls.
UPDATE credentials
SET access_token = NULL, refresh_token = NULL, id_token = NULL,
    access_token_expires_at = NULL, refresh_token_expires_at = NULL, scope = NULL;
