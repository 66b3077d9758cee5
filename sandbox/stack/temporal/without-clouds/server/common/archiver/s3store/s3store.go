package s3store

import (
	"errors"

	"go.temporal.io/server/common/archiver"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
)

const URIScheme = "s3"

func NewHistoryArchiver(persistence.ExecutionManager, log.Logger, metrics.Handler, *config.S3Archiver) (archiver.HistoryArchiver, error) {
	return nil, errors.New("built without clouds")
}

func NewVisibilityArchiver(log.Logger, metrics.Handler, *config.S3Archiver) (archiver.VisibilityArchiver, error) {
	return nil, errors.New("built without clouds")
}
