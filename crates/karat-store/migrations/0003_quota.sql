-- While gold is hidden, a person may send so many runs a day: scores of many runs tell what gold says.
ALTER TABLE benchmark ADD COLUMN quota BIGINT NOT NULL DEFAULT 5;
